import { parentPort, workerData } from 'node:worker_threads'

/**
 * What a thread shares with the process that hands it work: a place for each of a few small pieces, or all of it for a
 * large one. Memory that is used again and again: touching fresh memory for each image took a quarter of its time.
 */
export type Tray = { bytes: Uint8Array; tickets: Int32Array }

export type Handed = { ticket: number; at: number; length: number }

export const places = 16
export const placeBytes = 65_536

/**
 * The thread's side of decode-threads.ts: answers each piece of work in the order in which it came, unless it has been
 * taken back. Its very first message says that it is ready.
 */
export function answerEach<Answer>(work: (bytes: Uint8Array) => Answer | Promise<Answer>): void {
  if (parentPort === null) throw new Error('This script runs as a worker thread only.')
  const port = parentPort
  const tray: Tray = workerData
  let before = Promise.resolve()

  port.on('message', ({ ticket, at, length }: Handed) => {
    before = before.then(async () => {
      if (take(tray, ticket)) port.postMessage(await work(tray.bytes.subarray(at, at + length)))
    })
  })
  port.postMessage('ready')
}

export function createTray(): Tray {
  return {
    bytes: new Uint8Array(new SharedArrayBuffer(places * placeBytes)),
    tickets: new Int32Array(new SharedArrayBuffer(places * Int32Array.BYTES_PER_ELEMENT)),
  }
}

export function put({ bytes, tickets }: Tray, ticket: number, work: Uint8Array): Handed {
  const place = ticket % places
  const at = work.length > placeBytes ? 0 : place * placeBytes
  bytes.set(work, at)
  Atomics.store(tickets, place, ticket)
  return { ticket, at, length: work.length }
}

/** True for one of the two sides only: the thread that begins the work, or the process that takes it back. */
export function take({ tickets }: Tray, ticket: number): boolean {
  return Atomics.compareExchange(tickets, ticket % places, ticket, 0) === ticket
}
