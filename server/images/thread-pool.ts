import { Worker } from 'node:worker_threads'
import { claim, createSharedMemory, type SharedMemory, slotBytes, slots, writeWork } from './pool-thread.ts'

export type ThreadOutcome<Answer> =
  | { outcome: 'answered'; answer: Answer }
  | { outcome: 'timed_out' }
  | { outcome: 'crashed' }

export type ThreadPool<Answer> = {
  run(bytes: Uint8Array): Promise<ThreadOutcome<Answer>>
  close(): Promise<void>
}

// Only a ticket's slot matters, so they may start over.
const highestTicket = slots * 2 ** 20

/**
 * A few threads that run one script, which answers each piece of work in turn (pool-thread.ts). Threads are started when
 * there is work for them, kept warm, and replaced when they crash or time out. Work queued on such a thread, or on a slow
 * one while another is idle, moves to another.
 */
export function createThreadPool<Answer>(options: {
  script: URL
  threads: number
  timeLimitMilliseconds: number
}): ThreadPool<Answer> {
  const threads = new Set<Thread<Answer>>()
  const waiting: Job<Answer>[] = []
  let closed = false

  function run(bytes: Uint8Array): Promise<ThreadOutcome<Answer>> {
    return new Promise((resolve, reject) => {
      if (closed) return reject(new Error('The thread pool is closed.'))
      if (bytes.length > slots * slotBytes)
        return reject(new Error('The work does not fit into the memory of a thread.'))
      waiting.push({ bytes, ticket: 0, resolve, reject })
      assignWaiting()
    })
  }

  function assignWaiting(): void {
    for (let job = waiting[0]; job !== undefined; job = waiting[0]) {
      const thread = findThread(job)
      if (!thread) break
      waiting.shift()
      assign(thread, job)
    }
    const starting = [...threads].filter((thread) => thread.state === 'starting').length
    if (waiting.length > starting && threads.size < options.threads) start()
  }

  function findThread(job: Job<Answer>): Thread<Answer> | undefined {
    const ready = [...threads].filter((thread) => thread.state === 'ready')
    const idle = ready.find((thread) => thread.jobs.length === 0)
    // Starting another thread beats queueing behind other work.
    if (idle || threads.size < options.threads) return idle
    return ready.filter((thread) => hasRoom(thread, job)).toSorted((a, b) => a.jobs.length - b.jobs.length)[0]
  }

  function assign(thread: Thread<Answer>, job: Job<Answer>): void {
    job.ticket = thread.nextTicket
    thread.nextTicket = (thread.nextTicket % highestTicket) + 1
    thread.worker.postMessage(writeWork(thread.memory, job.ticket, job.bytes))
    thread.jobs.push(job)
    if (thread.jobs.length > 1) return
    thread.worker.ref()
    startTimer(thread)
  }

  /** A thread works on its first job; that job's time starts when the one before it was answered. */
  function startTimer(thread: Thread<Answer>): void {
    thread.timer = setTimeout(() => {
      settle(thread, { outcome: 'timed_out' })
      void stop(thread)
      assignWaiting()
    }, options.timeLimitMilliseconds)
  }

  function start(): void {
    const memory = createSharedMemory()
    const thread: Thread<Answer> = {
      // Some flags of the process would keep the script from starting.
      worker: new Worker(options.script, { execArgv: [], workerData: memory }),
      state: 'starting',
      memory,
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
      findWork(thread)
    })
    thread.worker.on('error', (error) => {
      thread.error = error
    })
    thread.worker.on('exit', () => {
      threads.delete(thread)
      if (thread.state === 'starting') {
        waiting.shift()?.reject(thread.error ?? new Error('A thread exited while it was starting.'))
      }
      settle(thread, { outcome: 'crashed' })
      waiting.unshift(...thread.jobs)
      assignWaiting()
    })
  }

  function settle(thread: Thread<Answer>, outcome: ThreadOutcome<Answer>): void {
    clearTimeout(thread.timer)
    thread.jobs.shift()?.resolve(outcome)
    if (thread.jobs.length > 0 && outcome.outcome === 'answered') startTimer(thread)
  }

  function findWork(thread: Thread<Answer>): void {
    assignWaiting()
    if (thread.jobs.length === 0) stealWork(thread)
    if (thread.jobs.length === 0) thread.worker.unref()
  }

  /** Nothing waits for a thread, but work may be queued on one that is busy with its first job for long. */
  function stealWork(idle: Thread<Answer>): void {
    for (const thread of threads) {
      const job = thread.jobs.slice(1).find(({ ticket }) => claim(thread.memory, ticket))
      if (!job) continue
      thread.jobs.splice(thread.jobs.indexOf(job), 1)
      assign(idle, job)
      return
    }
  }

  async function stop(thread: Thread<Answer>): Promise<void> {
    thread.state = 'stopping'
    waiting.unshift(...thread.jobs.splice(0))
    await thread.worker.terminate()
  }

  async function close(): Promise<void> {
    closed = true
    const unfinished = [...threads].flatMap((thread) => thread.jobs.splice(0))
    for (const job of [...unfinished, ...waiting.splice(0)]) job.reject(new Error('The thread pool was closed.'))
    for (const thread of threads) clearTimeout(thread.timer)
    await Promise.all([...threads].map(stop))
  }

  return { run, close }
}

/**
 * Small work may be queued on a busy thread: it takes less time than waking a thread that waits for the next. Large work
 * would gain nothing.
 */
function hasRoom<Answer>({ jobs, nextTicket }: Thread<Answer>, job: Job<Answer>): boolean {
  const slotIsFree = jobs.every(({ ticket }) => ticket % slots !== nextTicket % slots)
  return slotIsFree && [job, ...jobs].every(({ bytes }) => bytes.length <= slotBytes)
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
  memory: SharedMemory
  nextTicket: number
  /** Assigned and not answered yet, in order. */
  jobs: Job<Answer>[]
  timer: NodeJS.Timeout | undefined
  error: unknown
}
