import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { HostileConnection, Manner } from './connections.ts'

export type Played = {
  /** Of the first answer; null if there was none. */
  status: number | null
  /** The first line of an answer of 5xx, whichever it was of several. */
  serverError: string | null
  /** The client's port, by which the server can name the connection. */
  port: number | null
}

// The server may be busy with many others.
const answerMilliseconds = 2_000
// After an answer, for another or for the end.
const quietMilliseconds = 40

/**
 * Opens a connection, sends the bytes in their manner, and is gone when the promise resolves, or sooner if it is told to
 * leave. It never rejects.
 */
export async function play(
  { bytes, manner }: HostileConnection,
  port: number,
  { leave }: { leave?: AbortSignal } = {},
): Promise<Played> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setNoDelay(true)
  const reading = manner.does === 'does not read' || manner.does === 'reads slowly' ? null : read(socket)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  // A server may close or reset whenever it likes; whether it is well shows elsewhere.
  socket.on('error', () => socket.destroy())
  leave?.addEventListener('abort', () => socket.destroy())
  const connected = await Promise.race([opened(socket), closed.then(() => false)])
  const localPort = socket.localPort ?? null
  if (connected) {
    await Promise.race([behave(socket, bytes, manner, reading?.quiet ?? closed), closed])
    if (!socket.destroyed) socket.destroy()
  }
  await closed
  return { status: reading?.status() ?? null, serverError: reading?.serverError() ?? null, port: localPort }
}

function opened(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => socket.once('connect', () => resolve(true)))
}

async function behave(socket: Socket, bytes: Buffer, manner: Manner, quiet: Promise<void>): Promise<void> {
  switch (manner.does) {
    case 'reads the answer':
      socket.write(bytes)
      return quiet
    case 'sends in pieces':
      for (let at = 0; at < bytes.length && !socket.destroyed; at += manner.pieceBytes) {
        socket.write(bytes.subarray(at, at + manner.pieceBytes))
        await setImmediate()
      }
      return quiet
    case 'ends its side':
      socket.end(bytes)
      return quiet
    case 'closes at once':
      return sent(socket, bytes)
    case 'resets':
      await sent(socket, bytes.subarray(0, manner.afterBytes))
      // Without a pause the reset takes back what the server has not read.
      if (manner.pauseMilliseconds > 0) await wait(manner.pauseMilliseconds)
      socket.resetAndDestroy()
      return
    case 'falls silent':
      socket.write(bytes.subarray(0, manner.afterBytes))
      await wait(manner.milliseconds)
      if (manner.resets) socket.resetAndDestroy()
      return
    case 'sends slowly': {
      const until = performance.now() + manner.milliseconds
      for (let at = 0; at < bytes.length && performance.now() < until && !socket.destroyed; at += manner.pieceBytes) {
        socket.write(bytes.subarray(at, at + manner.pieceBytes))
        await wait(manner.everyMilliseconds)
      }
      return
    }
    case 'reads slowly': {
      const until = performance.now() + manner.milliseconds
      socket.write(bytes)
      while (performance.now() < until && !socket.destroyed) {
        socket.read(1_024)
        await wait(manner.everyMilliseconds)
      }
      return
    }
    case 'does not read':
      socket.write(bytes)
      await wait(manner.milliseconds)
      if (manner.resets) socket.resetAndDestroy()
  }
}

/** Does not keep the process when the connection has ended meanwhile. */
function wait(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds, undefined, { ref: false })
}

/** Resolves when the bytes are with the kernel, as far as that takes them within a moment. */
async function sent(socket: Socket, bytes: Buffer): Promise<void> {
  const taken = new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  const late = new AbortController()
  await Promise.race([taken, setTimeout(quietMilliseconds, null, { signal: late.signal }).catch(() => {})])
  late.abort()
}

const mark = Buffer.from('HTTP/1.1 5')

function read(socket: Socket) {
  const { promise: quiet, resolve } = Promise.withResolvers<void>()
  let status: number | null = null
  let serverError: string | null = null
  let rest: Buffer = Buffer.alloc(0)
  socket.setTimeout(answerMilliseconds, () => resolve())
  socket.on('end', () => resolve())
  socket.on('data', (chunk: Buffer) => {
    // None of our bytes hold the mark, so that it is never an echo of them.
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (status === null && bytes.length >= 12) status = Number(bytes.toString('latin1', 9, 12))
    const found = serverError === null ? bytes.indexOf(mark) : -1
    if (found >= 0 && bytes.length - found >= 12) serverError = bytes.toString('latin1', found).slice(0, 600)
    rest = Buffer.from(bytes.subarray(-12))
    socket.setTimeout(quietMilliseconds)
  })
  return { quiet, status: () => status, serverError: () => serverError }
}
