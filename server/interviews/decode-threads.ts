import { Worker } from 'node:worker_threads'

export type ThreadOutcome<Answer> =
  | { outcome: 'answered'; answer: Answer }
  | { outcome: 'late' }
  | { outcome: 'crashed' }

export type Threads<Answer> = {
  run(bytes: Uint8Array): Promise<ThreadOutcome<Answer>>
  close(): Promise<void>
}

/**
 * A few threads that run one script: each takes bytes and posts one answer back, after a first message of any kind that
 * says it is ready. Threads are started when there is work for them, kept warm, and replaced when they crash or are late.
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
      waiting.push({ bytes, resolve, reject })
      assign()
    })
  }

  function assign(): void {
    for (const thread of threads) {
      if (thread.state === 'idle') takeNext(thread)
    }
    const starting = [...threads].filter((thread) => thread.state === 'starting').length
    if (waiting.length > starting && threads.size < options.count) start()
  }

  function start(): void {
    const thread: Thread<Answer> = {
      // Flags of the process are not for its threads: some keep a script from starting.
      worker: new Worker(options.script, { execArgv: [] }),
      state: 'starting',
      job: null,
      timer: undefined,
      error: null,
    }
    threads.add(thread)
    thread.worker.on('message', (answer: Answer) => {
      if (thread.state === 'busy') settle(thread, { outcome: 'answered', answer })
      if (thread.state === 'stopping') return
      thread.state = 'idle'
      takeNext(thread)
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
      assign()
    })
  }

  function takeNext(thread: Thread<Answer>): void {
    const job = waiting.shift()
    if (!job) {
      thread.worker.unref()
      return
    }
    thread.worker.ref()
    thread.state = 'busy'
    thread.job = job
    thread.timer = setTimeout(() => {
      settle(thread, { outcome: 'late' })
      stop(thread)
    }, options.timeLimitMilliseconds)
    // A small Buffer is a window on memory shared with others: posting it as it is would copy, or give away, all of that.
    const bytes = new Uint8Array(job.bytes)
    thread.worker.postMessage(bytes, [bytes.buffer])
  }

  function settle(thread: Thread<Answer>, outcome: ThreadOutcome<Answer>): void {
    clearTimeout(thread.timer)
    thread.job?.resolve(outcome)
    thread.job = null
  }

  async function stop(thread: Thread<Answer>): Promise<void> {
    thread.state = 'stopping'
    await thread.worker.terminate()
  }

  async function close(): Promise<void> {
    closed = true
    const running = [...threads].flatMap((thread) => thread.job ?? [])
    for (const job of [...running, ...waiting.splice(0)]) job.reject(new Error('The threads were closed.'))
    for (const thread of threads) clearTimeout(thread.timer)
    await Promise.all([...threads].map(stop))
  }

  return { run, close }
}

type Job<Answer> = {
  bytes: Uint8Array
  resolve(outcome: ThreadOutcome<Answer>): void
  reject(error: unknown): void
}

type Thread<Answer> = {
  worker: Worker
  state: 'starting' | 'idle' | 'busy' | 'stopping'
  job: Job<Answer> | null
  timer: NodeJS.Timeout | undefined
  error: unknown
}
