import { parentPort, workerData } from 'node:worker_threads'
import { PGlite } from '@electric-sql/pglite'

// The thread of the embedded database. It receives messages of PostgreSQL's protocol and answers them one after another.
// What it sends first says that the database is open. Null, instead of messages, closes it.

// An answer ends with this and one more byte, the state of the transaction.
const readyForQuery = Buffer.from('Z\0\0\0\x05')
const endBytes = readyForQuery.length + 1
// Rows of a large answer are used while the next ones are read.
const messageBytes = 65_536

if (parentPort === null) throw new Error('This script only runs as a worker thread.')
const port = parentPort
const directory: string = workerData
const engine = new PGlite(directory)
await engine.waitReady

let last = Promise.resolve()
port.on('message', (request: Uint8Array | null) => {
  last = last.then(() => (request === null ? close() : answer(request)))
})
port.postMessage(null)

async function answer(request: Uint8Array): Promise<void> {
  let parts: Buffer[] = []
  let size = 0
  let end = Buffer.alloc(0)
  const send = () => {
    const bytes = new Uint8Array(Buffer.concat(parts))
    port.postMessage(bytes, [bytes.buffer])
    parts = []
    size = 0
  }
  // Not execProtocolRaw: it also parses the answer, which takes longer than reading the rows, and pg parses it anyway.
  await engine.execProtocolRawStream(request, {
    onRawData(part) {
      parts.push(Buffer.from(part))
      size += part.length
      end = Buffer.concat([end, part.subarray(-endBytes)]).subarray(-endBytes)
      if (size >= messageBytes) send()
    },
  })
  // PostgreSQL has given up, for instance because it can't write its log. It would never answer again.
  if (!end.includes(readyForQuery)) throw new Error(reasonIn(Buffer.concat(parts)))
  send()
}

function reasonIn(answer: Buffer): string {
  return /\0M([^\0]+)/.exec(answer.toString())?.[1] ?? 'it stopped without giving a reason'
}

async function close(): Promise<void> {
  await engine.close()
  port.close()
}
