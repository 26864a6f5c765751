import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

// The thread of the embedded database. It receives messages of PostgreSQL's protocol and answers them one after another.
// Its first message means that the database is open, a text that it crashed. When it receives null, it closes the database.

// Rows of a large answer are used while the next ones are read.
const answerBytes = 65_536

if (parentPort === null) throw new Error('This script only runs as a worker thread.')
const port = parentPort
const directory: string = workerData
const engine = new PGlite(directory)
await engine.waitReady

let last = Promise.resolve()
let answers: Buffer[] = []
port.on('message', (request: Uint8Array | null) => {
  last = last.then(() => (request === null ? close() : answer(request)))
})
port.postMessage(null)

/** One statement after another: after a crash, PGlite would go on with the next one and never end. */
async function answer(request: Uint8Array): Promise<void> {
  let crash: string | null = null
  try {
    for (const statement of statementsIn(request)) await run(statement)
  } catch (error) {
    crash = error instanceof Error ? error.message : ''
  }
  send()
  // Not thrown: then it could arrive before the answers.
  if (crash !== null) port.postMessage(crash)
}

const sync = 'S'.charCodeAt(0)
const simpleQuery = 'Q'.charCodeAt(0)

/** The messages of each statement. The message that starts a session has no type and comes alone. */
function* statementsIn(request: Uint8Array): Generator<Uint8Array> {
  const view = new DataView(request.buffer, request.byteOffset, request.byteLength)
  let start = 0
  for (let at = 0; at < request.length; ) {
    const type = request[at]
    at += type === 0 ? request.length : 1 + view.getUint32(at + 1)
    if (type !== sync && type !== simpleQuery && at < request.length) continue
    yield request.subarray(start, at)
    start = at
  }
}

// An answer ends with this and one more byte, the state of the transaction.
const readyForQuery = Buffer.from('Z\0\0\0\x05')

async function run(statement: Uint8Array): Promise<void> {
  const parts: Buffer[] = []
  let size = 0
  // Not execProtocolRaw: it also parses the answer, which takes longer than reading the rows, and pg parses it anyway.
  await engine.execProtocolRawStream(statement, {
    onRawData(part) {
      if (size >= answerBytes) {
        // Without the last part, which may hold the beginning of what the answer ends with.
        answers.push(...parts.splice(0, parts.length - 1))
        size = 0
        send()
      }
      parts.push(Buffer.from(part))
      size += part.length
    },
  })
  const end = Buffer.concat(parts)
  // PostgreSQL has given up, for instance because it can't write its log. It would never answer again.
  const hasCrashed = end.includes('\0VPANIC\0') || end.includes('\0VFATAL\0')
  if (hasCrashed || !end.subarray(-6).includes(readyForQuery)) throw new Error(reasonIn(end))
  answers.push(end)
}

function send(): void {
  if (answers.length === 0) return
  const bytes = new Uint8Array(Buffer.concat(answers))
  answers = []
  port.postMessage(bytes, [bytes.buffer])
}

function reasonIn(answer: Buffer): string {
  return /\0V(?:PANIC|FATAL)\0C[^\0]+\0M([^\0]+)/.exec(answer.toString())?.[1] ?? ''
}

async function close(): Promise<void> {
  await engine.close()
  port.close()
}
