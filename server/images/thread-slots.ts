/**
 * Memory shared by the main thread and one worker: a slot for each item that is running or next in line. It is reused,
 * because touching fresh memory took a quarter of the time per image. Answers are written into the slots so that one
 * message can announce many.
 */
export type ThreadSlots = {
  bytes: Uint8Array
  states: Int32Array
  turns: Int32Array
  lengths: Int32Array
  signals: Int32Array
}

// The main thread may be busy for several milliseconds, and a small image takes a fraction of one.
const smallSlots = 64
const smallSlotBytes = 65_536
const largeSlot = smallSlots
export const largestWork = 1_048_576

const FREE = 0
const QUEUED = 1
const RUNNING = 2
const ANSWERED = 3

// Indexes into `signals`: a counter of added work, and whether a message about answers is already on its way.
const WORK = 0
const ANNOUNCED = 1

export function createThreadSlots(): ThreadSlots {
  const numbers = (count: number) => new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))
  return {
    bytes: new Uint8Array(new SharedArrayBuffer(smallSlots * smallSlotBytes + largestWork)),
    states: numbers(smallSlots + 1),
    turns: numbers(smallSlots + 1),
    lengths: numbers(smallSlots + 1),
    signals: numbers(2),
  }
}

export function findFreeSlot({ states }: ThreadSlots, work: Uint8Array): number | null {
  if (work.length > smallSlotBytes) return Atomics.load(states, largeSlot) === FREE ? largeSlot : null
  for (let slot = 0; slot < smallSlots; slot += 1) if (Atomics.load(states, slot) === FREE) return slot
  return null
}

export function needsSameSlots(a: Uint8Array, b: Uint8Array): boolean {
  return a.length > smallSlotBytes === b.length > smallSlotBytes
}

export function addWork(shared: ThreadSlots, slot: number, { bytes, turn }: { bytes: Uint8Array; turn: number }): void {
  memoryOf(shared, slot).set(bytes)
  shared.lengths[slot] = bytes.length
  shared.turns[slot] = turn
  Atomics.store(shared.states, slot, QUEUED)
  Atomics.add(shared.signals, WORK, 1)
  Atomics.notify(shared.signals, WORK)
}

/** False if the thread has started on it. */
export function takeBackWork({ states }: ThreadSlots, slot: number): boolean {
  return Atomics.compareExchange(states, slot, QUEUED, FREE) === QUEUED
}

export function isRunning({ states }: ThreadSlots, slot: number): boolean {
  return Atomics.load(states, slot) === RUNNING
}

/** Called by the main thread before it collects answers, so that later ones are announced again. */
export function hearAnnouncement({ signals }: ThreadSlots): void {
  Atomics.store(signals, ANNOUNCED, 0)
}

/** Null if there is no answer yet. Frees the slot. */
export function takeAnswer(shared: ThreadSlots, slot: number): string | null {
  if (Atomics.load(shared.states, slot) !== ANSWERED) return null
  const answer = Buffer.from(memoryOf(shared, slot).subarray(0, shared.lengths[slot])).toString()
  Atomics.store(shared.states, slot, FREE)
  return answer
}

/** Called by the worker. Blocks until there is work. */
export function takeWork(shared: ThreadSlots): { slot: number; bytes: Uint8Array } {
  for (;;) {
    const seen = Atomics.load(shared.signals, WORK)
    const slot = findNext(shared)
    if (slot === null) Atomics.wait(shared.signals, WORK, seen)
    else if (Atomics.compareExchange(shared.states, slot, QUEUED, RUNNING) === QUEUED) {
      return { slot, bytes: memoryOf(shared, slot).subarray(0, shared.lengths[slot]) }
    }
  }
}

function findNext({ states, turns }: ThreadSlots): number | null {
  let next: number | null = null
  for (let slot = 0; slot < states.length; slot += 1) {
    if (Atomics.load(states, slot) !== QUEUED) continue
    if (next === null || compareTurns(turns[slot] ?? 0, turns[next] ?? 0) < 0) next = slot
  }
  return next
}

/** Turns are 32 bits and wrap around. */
export function compareTurns(a: number, b: number): number {
  return (a - b) | 0
}

/** Called by the worker. True if the main thread needs a message: it has none on its way. */
export function writeAnswer(shared: ThreadSlots, slot: number, answer: string): boolean {
  shared.lengths[slot] = new TextEncoder().encodeInto(answer, memoryOf(shared, slot)).written
  Atomics.store(shared.states, slot, ANSWERED)
  return Atomics.exchange(shared.signals, ANNOUNCED, 1) === 0
}

function memoryOf({ bytes }: ThreadSlots, slot: number): Uint8Array {
  const start = slot * smallSlotBytes
  return bytes.subarray(start, slot === largeSlot ? bytes.length : start + smallSlotBytes)
}
