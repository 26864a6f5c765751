import { connect, type Socket } from 'node:net'
import { setImmediate, setTimeout } from 'node:timers/promises'
import type { Behavior, HostileConnection } from './connections.ts'

export type ConnectionResult = {
  /** Of the first response; null if there was none. */
  status: number | null
  /** The start of the first 5xx response. */
  serverError: string | null
  /** The client's port, which identifies the connection on the server. */
  port: number | null
}

const responseMilliseconds = 2_000
// After a response, for another one or for the end.
const quietMilliseconds = 40

type Options = {
  close?: AbortSignal
  /** Resolves when the server has handled what it got so far. Nobody gives up on a server before that. */
  caughtUp?: () => Promise<unknown>
}

/**
 * Opens a connection, sends the bytes as its behavior says, and closes it before the promise resolves, or earlier on
 * abort. Never rejects.
 */
export async function runConnection(
  { bytes, behavior }: HostileConnection,
  port: number,
  { close, caughtUp = async () => {} }: Options = {},
): Promise<ConnectionResult> {
  const socket = connect({ port, host: '127.0.0.1', allowHalfOpen: true })
  socket.setNoDelay(true)
  const reading = behavior.kind === 'does not read' || behavior.kind === 'reads slowly' ? null : read(socket, caughtUp)
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()))
  // A server may close or reset at any time. Its health is checked elsewhere.
  socket.on('error', () => socket.destroy())
  close?.addEventListener('abort', () => socket.destroy())
  const connected = await Promise.race([opened(socket), closed.then(() => false)])
  const localPort = socket.localPort ?? null
  if (connected) {
    const { quiet = closed, responded = closed } = reading ?? {}
    await Promise.race([behave(socket, bytes, behavior, { quiet, responded }), closed])
    if (!socket.destroyed) socket.destroy()
  }
  await closed
  return { status: reading?.status() ?? null, serverError: reading?.serverError() ?? null, port: localPort }
}

function opened(socket: Socket): Promise<boolean> {
  return new Promise((resolve) => socket.once('connect', () => resolve(true)))
}

async function behave(
  socket: Socket,
  bytes: Buffer,
  behavior: Behavior,
  { quiet, responded }: { quiet: Promise<void>; responded: Promise<void> },
): Promise<void> {
  switch (behavior.kind) {
    case 'reads the response':
      socket.write(bytes)
      return quiet
    case 'sends in pieces':
      for (let at = 0; at < bytes.length && !socket.destroyed; at += behavior.pieceBytes) {
        socket.write(bytes.subarray(at, at + behavior.pieceBytes))
        await setImmediate()
      }
      return quiet
    case 'ends its side':
      socket.end(bytes)
      return quiet
    case 'closes at once':
      return sent(socket, bytes)
    case 'resets':
      await sent(socket, bytes.subarray(0, behavior.afterBytes))
      // Without a pause the reset discards what the server has not read. Once it responds, it has.
      if (behavior.pauseMilliseconds > 0) await Promise.race([responded, wait(behavior.pauseMilliseconds)])
      socket.resetAndDestroy()
      return
    case 'falls silent':
      socket.write(bytes.subarray(0, behavior.afterBytes))
      await wait(behavior.milliseconds)
      if (behavior.resets) socket.resetAndDestroy()
      return
    case 'sends slowly': {
      const until = performance.now() + behavior.milliseconds
      for (let at = 0; at < bytes.length && performance.now() < until && !socket.destroyed; at += behavior.pieceBytes) {
        socket.write(bytes.subarray(at, at + behavior.pieceBytes))
        await wait(behavior.everyMilliseconds)
      }
      return
    }
    case 'reads slowly': {
      const until = performance.now() + behavior.milliseconds
      socket.write(bytes)
      while (performance.now() < until && !socket.destroyed) {
        socket.read(1_024)
        await wait(behavior.everyMilliseconds)
      }
      return
    }
    case 'does not read':
      socket.write(bytes)
      await wait(behavior.milliseconds)
      if (behavior.resets) socket.resetAndDestroy()
  }
}

/** Doesn't keep the process alive if the connection ends first. */
function wait(milliseconds: number): Promise<void> {
  return setTimeout(milliseconds, undefined, { ref: false })
}

/** Resolves when the kernel has accepted the bytes, or after a moment. */
async function sent(socket: Socket, bytes: Buffer): Promise<void> {
  const taken = new Promise<void>((resolve) => socket.write(bytes, () => resolve()))
  const late = new AbortController()
  await Promise.race([taken, setTimeout(quietMilliseconds, null, { signal: late.signal }).catch(() => {})])
  late.abort()
}

const mark = Buffer.from('HTTP/1.1 5')

function read(socket: Socket, caughtUp: () => Promise<unknown>) {
  const { promise: quiet, resolve } = Promise.withResolvers<void>()
  const { promise: responded, resolve: respond } = Promise.withResolvers<void>()
  let status: number | null = null
  let serverError: string | null = null
  let rest: Buffer = Buffer.alloc(0)
  socket.setTimeout(responseMilliseconds, async () => {
    // Then what it has sent until now still has to be read.
    if (status === null) await caughtUp().then(() => wait(quietMilliseconds))
    resolve()
  })
  socket.on('end', () => resolve())
  socket.on('data', (chunk: Buffer) => {
    respond()
    // None of our own bytes contain the mark, so it is never an echo.
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    if (status === null && bytes.length >= 12) status = Number(bytes.toString('latin1', 9, 12))
    const found = serverError === null ? bytes.indexOf(mark) : -1
    if (found >= 0 && bytes.length - found >= 12) serverError = bytes.toString('latin1', found).slice(0, 600)
    rest = Buffer.from(bytes.subarray(-12))
    socket.setTimeout(quietMilliseconds)
  })
  return { quiet, responded, status: () => status, serverError: () => serverError }
}
