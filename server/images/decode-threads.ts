import { Worker } from 'node:worker_threads'
import { createTray, placeBytes, places, put, type Tray, take } from './decode-thread.ts'

export type ThreadOutcome<Answer> =
  | { outcome: 'answered'; answer: Answer }
  | { outcome: 'late' }
  | { outcome: 'crashed' }

export type Threads<Answer> = {
  run(bytes: Uint8Array): Promise<ThreadOutcome<Answer>>
  close(): Promise<void>
}

// Of a ticket only its place among those of one thread matters.
const highestTicket = places * 2 ** 20

/**
 * A few threads that run one script, which answers each piece of work in turn (decode-thread.ts). Threads are started
 * when there is work for them, kept warm, and replaced when they crash or are late; what lay ready at such a one, or at
 * one that is slow while another has nothing to do, goes to another.
 */
export function createThreads<Answer>(options: {
  script: URL
  count: number
  timeLimitMilliseconds: number
}): Threads<Answer> {
  const threads = new Set<Thread<Answer>>()
  const waiting: Job<Answer>[] = []
  let closed = false

  function run(bytes: Uint8Array): Promise<ThreadOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Error('The threads are closed.'))
      if (bytes.length > places * placeBytes) return reject(new Error('No thread has room for so much.'))
      waiting.push({ bytes, ticket: 0, resolve, reject })
      assign()
    })
  }

  function assign(): void {
    for (let job = waiting[0]; job !== undefined; job = waiting[0]) {
      const thread = placeFor(job)
      if (!thread) break
      waiting.shift()
      hand(thread, job)
    }
    const starting = [...threads].filter((thread) => thread.state === 'starting').length
    if (waiting.length > starting && threads.size < options.count) start()
  }

  function placeFor(job: Job<Answer>): Thread<Answer> | undefined {
    const ready = [...threads].filter((thread) => thread.state === 'ready')
    const idle = ready.find((thread) => thread.jobs.length === 0)
    // Another thread is better than a place behind somebody.
    if (idle || threads.size < options.count) return idle
    return ready.filter((thread) => hasRoom(thread, job)).toSorted((a, b) => a.jobs.length - b.jobs.length)[0]
  }

  function start(): void {
    const tray = createTray()
    const thread: Thread<Answer> = {
      // Flags of the process are not for its threads: some keep a script from starting.
      worker: new Worker(options.script, { execArgv: [], workerData: tray }),
      state: 'starting',
      tray,
      nextTicket: 1,
      jobs: [],
      timer: undefined,
      error: null,
    }
    threads.add(thread)
    thread.worker.on('message', (answer: Answer) => {
      if (thread.state === 'stopping') return
      if (thread.state === 'ready') settle(thread, { outcome: 'answered', answer })
      thread.state = 'ready'
      goOn(thread)
    })
    thread.worker.on('error', (error) => {
      thread.error = error
    })
    thread.worker.on('exit', () => {
      threads.delete(thread)
      if (thread.state === 'starting') {
        waiting.shift()?.reject(thread.error ?? new Error('A thread ended while it was starting.'))
      }
      settle(thread, { outcome: 'crashed' })
      waiting.unshift(...thread.jobs)
      assign()
    })
  }

  function goOn(thread: Thread<Answer>): void {
    assign()
    if (thread.jobs.length === 0) relieve(thread)
    if (thread.jobs.length === 0) thread.worker.unref()
  }

  /** Nothing waits for a thread: but something may lie ready at another, which may be at its first for long. */
  function relieve(idle: Thread<Answer>): void {
    for (const thread of threads) {
      const job = thread.jobs.slice(1).find(({ ticket }) => take(thread.tray, ticket))
      if (!job) continue
      thread.jobs.splice(thread.jobs.indexOf(job), 1)
      hand(idle, job)
      return
    }
  }

  function hand(thread: Thread<Answer>, job: Job<Answer>): void {
    job.ticket = thread.nextTicket
    thread.nextTicket = (thread.nextTicket % highestTicket) + 1
    thread.worker.postMessage(put(thread.tray, job.ticket, job.bytes))
    thread.jobs.push(job)
    if (thread.jobs.length > 1) return
    thread.worker.ref()
    watch(thread)
  }

  /** The first of its jobs is the one a thread is at; its time begins when the one before was answered. */
  function watch(thread: Thread<Answer>): void {
    thread.timer = setTimeout(() => {
      settle(thread, { outcome: 'late' })
      void stop(thread)
      assign()
    }, options.timeLimitMilliseconds)
  }

  function settle(thread: Thread<Answer>, outcome: ThreadOutcome<Answer>): void {
    clearTimeout(thread.timer)
    thread.jobs.shift()?.resolve(outcome)
    if (thread.jobs.length > 0 && outcome.outcome === 'answered') watch(thread)
  }

  async function stop(thread: Thread<Answer>): Promise<void> {
    thread.state = 'stopping'
    waiting.unshift(...thread.jobs.splice(0))
    await thread.worker.terminate()
  }

  async function close(): Promise<void> {
    closed = true
    const unfinished = [...threads].flatMap((thread) => thread.jobs.splice(0))
    for (const job of [...unfinished, ...waiting.splice(0)]) job.reject(new Error('The threads were closed.'))
    for (const thread of threads) clearTimeout(thread.timer)
    await Promise.all([...threads].map(stop))
  }

  return { run, close }
}

/**
 * Small work may lie ready at a busy thread: it takes less time than waking a thread that waits for the next. With large
 * work there is nothing to gain.
 */
function hasRoom<Answer>({ jobs, nextTicket }: Thread<Answer>, job: Job<Answer>): boolean {
  const isFree = jobs.every(({ ticket }) => ticket % places !== nextTicket % places)
  return isFree && [job, ...jobs].every(({ bytes }) => bytes.length <= placeBytes)
}

type Job<Answer> = {
  bytes: Uint8Array
  ticket: number
  resolve(outcome: ThreadOutcome<Answer>): void
  reject(error: unknown): void
}

type Thread<Answer> = {
  worker: Worker
  state: 'starting' | 'ready' | 'stopping'
  tray: Tray
  nextTicket: number
  /** What was handed to it and is not answered yet, in order. */
  jobs: Job<Answer>[]
  timer: NodeJS.Timeout | undefined
  error: unknown
}
