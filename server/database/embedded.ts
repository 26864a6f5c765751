import { Duplex } from 'node:stream'
import { Worker } from 'node:worker_threads'
import { DirectoryUnusable } from './data-directory.ts'
import { createDatabase, type Database } from './database.ts'

/**
 * PostgreSQL inside this process, with its files under `directory`. It runs on a thread of its own, so requests and events
 * don't wait while it works, and pg talks to it as to any server.
 */
export async function openEmbedded(directory: string): Promise<Database> {
  let closed = Promise.resolve()
  const stream = () => {
    const previous = closed
    const connection = connectTo(directory, previous)
    closed = new Promise<void>((resolve) => connection.once('close', resolve)).then(() => previous)
    return connection
  }
  const address = { user: 'postgres', database: 'postgres', ssl: false }
  const database = createDatabase({ ...address, stream, max: 1, idleTimeoutMillis: 0, pipeline: true })
  async function close(): Promise<void> {
    await database.close()
    // The pool only says goodbye. Until the engine has shut down too, the next start would begin with a recovery.
    await closed
  }
  try {
    await database.script('select')
  } catch (error) {
    await close()
    const reason = error instanceof Error ? error.message : String(error)
    throw new DirectoryUnusable(
      `The database in ${directory} cannot be opened (${reason}). Check that the disk has room, or restore a backup.`,
    )
  }
  return { ...database, close }
}

const terminate = 'X'.charCodeAt(0)

/**
 * A connection to an engine of its own, which starts and ends with it. Two engines on the same files would destroy them, so
 * it waits until the one before has ended.
 */
function connectTo(directory: string, previousEnded: Promise<void>): Duplex {
  let engine: Worker | null = null
  let waiting: Buffer[] = []

  // A message between threads costs more than most statements, so those of one turn of the event loop share one.
  function send(): void {
    const request = new Uint8Array(Buffer.concat(waiting))
    waiting = []
    if (request.length > 0) engine?.postMessage(request, [request.buffer])
  }

  const connection = new Duplex({
    read() {},
    writev(chunks, done) {
      if (waiting.length === 0) setImmediate(send)
      waiting.push(...chunks.map(({ chunk }) => chunk).filter((message: Buffer) => message[0] !== terminate))
      done()
    },
    final(done) {
      send()
      engine?.postMessage(null)
      done()
    },
    destroy(error, done) {
      const ended = engine ? engine.terminate() : Promise.resolve()
      ended.then(() => done(error), done)
    },
  })

  async function start(): Promise<void> {
    await previousEnded
    if (connection.destroyed) return
    // Some of the process's flags would keep the script from starting.
    engine = new Worker(new URL('./embedded-thread.ts', import.meta.url), { execArgv: [], workerData: directory })
    engine.once('message', () => {
      engine?.on('message', (answer: Uint8Array | string) => {
        if (typeof answer === 'string') connection.destroy(crashed(answer))
        else connection.push(answer)
      })
      connection.emit('connect')
    })
    engine.on('error', (error) => connection.destroy(crashed(error.message)))
    engine.on('exit', () => connection.destroy())
  }

  // The rest of what pg expects of a socket.
  return Object.assign(connection, {
    connect: () => void start().catch((error) => connection.destroy(crashed(error.message))),
    setNoDelay() {},
    ref: () => engine?.ref(),
    unref: () => engine?.unref(),
  })
}

/** With the code PostgreSQL uses for a crash, so that it counts as an outage: the next connection starts a new engine. */
function crashed(reason: string): Error {
  return Object.assign(new Error(reason || 'it stopped without giving a reason'), { code: '57P02' })
}
