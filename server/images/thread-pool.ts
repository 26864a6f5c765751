import { Worker } from 'node:worker_threads'
import {
  addWork,
  compareTurns,
  createThreadSlots,
  findFreeSlot,
  hearAnnouncement,
  isRunning,
  largestWork,
  needsSameSlots,
  type ThreadSlots,
  takeAnswer,
  takeBackWork,
} from './thread-slots.ts'

export type ThreadOutcome<Answer> =
  | { outcome: 'answered'; answer: Answer }
  | { outcome: 'timed_out' }
  | { outcome: 'crashed' }

export type ThreadPool<Answer> = {
  /** Owners take turns, one item each, so one owner's queue delays another only by the work already running. */
  run(bytes: Uint8Array, owner?: string): Promise<ThreadOutcome<Answer>>
  close(): Promise<void>
}

/**
 * Threads that run one script (pool-thread.ts). They are started on demand, kept warm, and replaced when they crash or
 * time out. Each is assigned a few items ahead so it never waits for the main thread. Until it starts on one, the item
 * can be moved to another thread, or put back in favor of work whose turn comes first.
 */
export function createThreadPool<Answer>(options: {
  script: URL
  threads: number
  timeLimitMilliseconds: number
}): ThreadPool<Answer> {
  const threads = new Set<Thread<Answer>>()
  /** By turn. */
  const waiting: Job<Answer>[] = []
  const turns = createTurns()
  let closed = false

  function run(bytes: Uint8Array, owner = ''): Promise<ThreadOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Error('The thread pool is closed.'))
      if (bytes.length > largestWork) return reject(new Error('The work does not fit into the memory of a thread.'))
      wait({ bytes, turn: turns.next(owner), resolve, reject })
      assignWaiting()
    })
  }

  function wait(job: Job<Answer>): void {
    const last = waiting.findLastIndex(({ turn }) => compareTurns(turn, job.turn) <= 0)
    waiting.splice(last + 1, 0, job)
  }

  function assignWaiting(): void {
    for (let job = waiting[0]; job !== undefined; job = waiting[0]) {
      const place = findPlace(job)
      if (!place) break
      waiting.splice(waiting.indexOf(job), 1)
      assign(place, job)
    }
    const starting = [...threads].filter((thread) => thread.state === 'starting').length
    if (waiting.length > starting && threads.size < options.threads) start()
  }

  function findPlace(job: Job<Answer>): Place<Answer> | null {
    const ready = [...threads].filter((thread) => thread.state === 'ready')
    const idle = ready.filter((thread) => thread.jobs.size === 0)
    // Starting another thread beats queueing behind other work.
    const candidates = idle.length > 0 || threads.size < options.threads ? idle : ready
    for (const thread of candidates.toSorted((a, b) => a.jobs.size - b.jobs.size)) {
      const slot = findFreeSlot(thread.shared, job.bytes)
      if (slot !== null) return { thread, slot }
    }
    return candidates === ready ? makeRoom(ready, job) : null
  }

  /** Takes back the item whose turn comes last, if that is after this job's turn. */
  function makeRoom(ready: Thread<Answer>[], job: Job<Answer>): Place<Answer> | null {
    const later = ready
      .flatMap((thread) => [...thread.jobs].map(([slot, other]) => ({ thread, slot, other })))
      .filter(({ other }) => compareTurns(other.turn, job.turn) > 0 && needsSameSlots(other.bytes, job.bytes))
      .toSorted((a, b) => compareTurns(b.other.turn, a.other.turn))
    const last = later.find(({ thread, slot }) => takeBackWork(thread.shared, slot))
    if (!last) return null
    last.thread.jobs.delete(last.slot)
    wait(last.other)
    return last
  }

  function assign({ thread, slot }: Place<Answer>, job: Job<Answer>): void {
    thread.jobs.set(slot, job)
    addWork(thread.shared, slot, job)
    if (thread.jobs.size > 1) return
    thread.worker.ref()
    startTimer(thread)
  }

  function start(): void {
    const shared = createThreadSlots()
    const thread: Thread<Answer> = {
      // Some of the process's flags would keep the script from starting.
      worker: new Worker(options.script, { execArgv: [], workerData: shared }),
      state: 'starting',
      shared,
      jobs: new Map(),
      timer: undefined,
      error: null,
    }
    threads.add(thread)
    thread.worker.on('message', () => {
      if (thread.state === 'stopping') return
      thread.state = 'ready'
      settleAnswered(thread)
      assignWaiting()
      if (thread.jobs.size === 0) stealWork()
      if (thread.jobs.size === 0) thread.worker.unref()
    })
    thread.worker.on('error', (error) => {
      thread.error = error
    })
    thread.worker.on('exit', () => {
      threads.delete(thread)
      if (thread.state === 'starting') {
        waiting.shift()?.reject(thread.error ?? new Error('A thread exited while it was starting.'))
      }
      abandon(thread, { outcome: 'crashed' })
      assignWaiting()
    })
  }

  function settleAnswered(thread: Thread<Answer>): number {
    hearAnnouncement(thread.shared)
    let settled = 0
    for (const [slot, job] of [...thread.jobs].toSorted(([, a], [, b]) => compareTurns(a.turn, b.turn))) {
      const text = takeAnswer(thread.shared, slot)
      if (text === null) continue
      thread.jobs.delete(slot)
      const answer: Answer = JSON.parse(text)
      settle(job, { outcome: 'answered', answer })
      settled += 1
    }
    if (thread.jobs.size === 0) clearTimeout(thread.timer)
    else if (settled > 0) startTimer(thread)
    return settled
  }

  function settle(job: Job<Answer>, outcome: ThreadOutcome<Answer>): void {
    turns.reached(job.turn)
    job.resolve(outcome)
  }

  /** A thread runs one job at a time; a job's time starts when the previous one is answered. */
  function startTimer(thread: Thread<Answer>): void {
    clearTimeout(thread.timer)
    thread.timer = setTimeout(() => {
      // The main thread may have been too busy to see an answer.
      if (settleAnswered(thread) > 0) return assignWaiting()
      abandon(thread, { outcome: 'timed_out' })
      void stop(thread)
      assignWaiting()
    }, options.timeLimitMilliseconds)
  }

  /** Settles the running job with this outcome; jobs not started move to another thread. */
  function abandon(thread: Thread<Answer>, outcome: ThreadOutcome<Answer>): void {
    settleAnswered(thread)
    clearTimeout(thread.timer)
    for (const [slot, job] of thread.jobs) {
      if (isRunning(thread.shared, slot)) settle(job, outcome)
      else wait(job)
    }
    thread.jobs.clear()
  }

  /** Nothing waits for the idle thread, but jobs may be queued on another one that is stuck on a long job. */
  function stealWork(): void {
    const queued = [...threads].flatMap((thread) => [...thread.jobs].map(([slot, job]) => ({ thread, slot, job })))
    const first = queued
      .toSorted((a, b) => compareTurns(a.job.turn, b.job.turn))
      .find(({ thread, slot }) => takeBackWork(thread.shared, slot))
    if (!first) return
    first.thread.jobs.delete(first.slot)
    wait(first.job)
    assignWaiting()
  }

  async function stop(thread: Thread<Answer>): Promise<void> {
    thread.state = 'stopping'
    await thread.worker.terminate()
  }

  async function close(): Promise<void> {
    closed = true
    for (const thread of threads) {
      clearTimeout(thread.timer)
      waiting.push(...thread.jobs.values())
      thread.jobs.clear()
    }
    for (const job of waiting.splice(0)) job.reject(new Error('The thread pool was closed.'))
    await Promise.all([...threads].map(stop))
  }

  return { run, close }
}

/** Numbers an owner's jobs consecutively; all owners share the same numbers, so each gets one job per turn. */
function createTurns(): { next(owner: string): number; reached(turn: number): void } {
  let current = 0
  const last = new Map<string, number>()

  function next(owner: string): number {
    const previous = last.get(owner)
    const turn = previous === undefined ? current : (previous + 1) | 0
    last.set(owner, turn)
    return turn
  }

  function reached(turn: number): void {
    if (compareTurns(turn, current) <= 0) return
    current = turn
    for (const [owner, previous] of last) if (compareTurns(previous, current) < 0) last.delete(owner)
  }

  return { next, reached }
}

type Job<Answer> = {
  bytes: Uint8Array
  turn: number
  resolve(outcome: ThreadOutcome<Answer>): void
  reject(error: unknown): void
}

type Thread<Answer> = {
  worker: Worker
  state: 'starting' | 'ready' | 'stopping'
  shared: ThreadSlots
  /** By slot: assigned but not answered yet. */
  jobs: Map<number, Job<Answer>>
  timer: NodeJS.Timeout | undefined
  error: unknown
}

type Place<Answer> = { thread: Thread<Answer>; slot: number }
