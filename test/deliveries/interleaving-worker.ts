import { createSecretKey } from 'node:crypto'
import type { Database } from '../../server/database/database.ts'
import { type AttemptDependencies, attempt } from '../../server/deliveries/attempt.ts'
import type { DeliveryLoader } from '../../server/deliveries/load.ts'
import type { Settlement } from '../../server/deliveries/transitions.ts'
import type { ClaimedJob } from '../../server/queue/queue.ts'
import type { Operations } from './interleaving-operations.ts'

/** A request that was sent, and whether its response was recorded. */
export type SentRequest = { round: number; number: number; settled: boolean }

type State = 'idle' | 'loading' | 'configuring' | 'sending' | 'settling'

export type TestWorker = {
  readonly name: string
  readonly state: State
  /** Whether its lease has expired since it claimed its job. */
  leaseRanOut: boolean
  steps(): string[]
  take(step: string): Promise<{ claimed: ClaimedJob | null; settled: Settlement | null }>
  fingerprint(): unknown
}

/**
 * A worker that runs the real attempt and pauses before each of its statements and while its request is in flight, until
 * it is resumed. A crash means that it never is.
 */
export function createWorker(options: {
  name: string
  database: Database
  loader: DeliveryLoader
  operations: Operations
  onRequest: (request: SentRequest) => void
}): TestWorker {
  const { name, database, loader, operations, onRequest } = options
  let state: State = 'idle'
  let job: ClaimedJob | null = null
  let request: SentRequest | null = null
  let settlement: Settlement | null = null
  let statementsLeft: Operations['settle'] = []
  let earlierAttempts = 0
  let resume: (status: number) => void = () => {}
  let onPause: () => void = () => {}

  function pauseAt(at: State): Promise<number> {
    state = at
    return new Promise((resolve) => {
      resume = resolve
      onPause()
    })
  }

  /** Runs until the next pause. */
  function runToPause(act: () => void): Promise<void> {
    return new Promise((resolve) => {
      onPause = resolve
      act()
    })
  }

  function dependencies(claimed: ClaimedJob): AttemptDependencies {
    return {
      database,
      loader: {
        load: async (id) => {
          await pauseAt('loading')
          const loaded = await loader.load(id)
          earlierAttempts = loaded?.earlierAttempts ?? 0
          return loaded
        },
        configuration: async (asked) => {
          await pauseAt('configuring')
          return loader.configuration(asked)
        },
        turn: loader.turn,
      },
      images: { provide: async (_, use) => ({ ok: true, result: await use('AAAA', true) }) },
      guard: { vet: async () => ({ ok: true, destination, addresses: [] }) },
      poster: {
        async post() {
          request = { round: claimed.round, number: earlierAttempts + claimed.receive, settled: false }
          state = 'sending'
          onRequest(request)
          const status = await pauseAt('sending')
          return { ...answered, status, error: errors.get(status) ?? null }
        },
        close: async () => {},
      },
      signingKey: () => createSecretKey('secret', 'utf8'),
      appUrl: 'https://interviews.example',
      retryDelaySeconds: 60,
      deadlineMilliseconds: 5_000,
      clock: () => new Date('2026-03-01T12:00:00.000Z'),
    }
  }

  async function claim(): Promise<ClaimedJob | null> {
    const claimed = await operations.claim(database)
    if (!claimed) return null
    job = claimed
    worker.leaseRanOut = false
    await runToPause(() => {
      attempt(dependencies(claimed), claimed).then(
        (attempted) => {
          if (job !== claimed) return
          settlement = attempted.settlement
          statementsLeft = [...operations.settle]
          void pauseAt('settling')
        },
        (error) => {
          throw error
        },
      )
    })
    return claimed
  }

  async function settleNext(): Promise<Settlement | null> {
    const [statement, ...rest] = statementsLeft
    if (!statement || !settlement) throw new Error('Nothing to settle')
    await statement(database, settlement)
    statementsLeft = rest
    if (rest.length > 0) return null
    if (request) request.settled = true
    return forget()
  }

  function forget(): Settlement | null {
    const settled = settlement
    state = 'idle'
    job = null
    request = null
    settlement = null
    return settled
  }

  const worker: TestWorker = {
    name,
    get state() {
      return state
    },
    leaseRanOut: false,
    steps() {
      const steps: Record<State, string[]> = {
        idle: [],
        loading: ['load', 'crash'],
        configuring: ['configure', 'crash'],
        sending: ['answer 200', 'answer 410', 'answer 500', 'crash'],
        settling: ['settle', 'crash'],
      }
      return steps[state]
    },
    async take(step) {
      if (step === 'claim') return { claimed: await claim(), settled: null }
      if (step === 'settle') return { claimed: null, settled: await settleNext() }
      if (step === 'crash') forget()
      else await runToPause(() => resume(step.startsWith('answer') ? Number(step.slice(7)) : 0))
      return { claimed: null, settled: null }
    },
    fingerprint: () => [
      state,
      job?.round,
      job?.receive,
      settlement?.outcome,
      statementsLeft.length,
      worker.leaseRanOut,
    ],
  }
  return worker
}

const errors = new Map<number, 'HTTP_4XX' | 'HTTP_5XX'>([
  [410, 'HTTP_4XX'],
  [500, 'HTTP_5XX'],
])

const destination = {
  url: new URL('https://receiver.example/'),
  hostname: 'receiver.example',
  port: 443,
  address: '203.0.113.1',
  family: 4,
} as const

const answered = {
  timing: { dns: null, connect: null, tls: null, firstByte: null, total: 1 },
  address: '203.0.113.1',
  code: null,
  phase: null,
  detail: null,
  answer: Buffer.alloc(0),
  headers: [],
  retryAfterSeconds: null,
}
