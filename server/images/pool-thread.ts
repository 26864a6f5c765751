import { parentPort, workerData } from 'node:worker_threads'

/**
 * What a thread shares with the process: a slot for each of a few small pieces of work, or all of it for a large one.
 * The memory is used over and over, because touching fresh memory for each image took a quarter of its time.
 */
export type SharedMemory = { bytes: Uint8Array; tickets: Int32Array }

export type WorkMessage = { ticket: number; offset: number; length: number }

export const slots = 16
export const slotBytes = 65_536

/**
 * The thread's side of thread-pool.ts: answers each piece of work in the order it arrived, unless the process has taken
 * it back. The first message says that the thread is ready.
 */
export function answerWork<Answer>(answer: (bytes: Uint8Array) => Answer | Promise<Answer>): void {
  if (parentPort === null) throw new Error('This script only runs as a worker thread.')
  const port = parentPort
  const memory: SharedMemory = workerData
  let previous = Promise.resolve()

  port.on('message', ({ ticket, offset, length }: WorkMessage) => {
    previous = previous.then(async () => {
      if (claim(memory, ticket)) port.postMessage(await answer(memory.bytes.subarray(offset, offset + length)))
    })
  })
  port.postMessage('ready')
}

export function createSharedMemory(): SharedMemory {
  return {
    bytes: new Uint8Array(new SharedArrayBuffer(slots * slotBytes)),
    tickets: new Int32Array(new SharedArrayBuffer(slots * Int32Array.BYTES_PER_ELEMENT)),
  }
}

export function writeWork({ bytes, tickets }: SharedMemory, ticket: number, work: Uint8Array): WorkMessage {
  const slot = ticket % slots
  const offset = work.length > slotBytes ? 0 : slot * slotBytes
  bytes.set(work, offset)
  Atomics.store(tickets, slot, ticket)
  return { ticket, offset, length: work.length }
}

/** True for one side only: the thread that starts the work, or the process that takes it back. */
export function claim({ tickets }: SharedMemory, ticket: number): boolean {
  return Atomics.compareExchange(tickets, ticket % slots, ticket, 0) === ticket
}
