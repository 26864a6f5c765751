import { setTimeout } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import { lies, type Names } from './names.ts'
import type { Partner } from './partners.ts'
import type { Behavior } from './receiver.ts'
import { healthy } from './receivers.ts'
import type { Supervised } from './supervised.ts'

/** A fault. It ends before the promise resolves, or when the next one of its kind starts. */
export type Fault = (random: Random) => Promise<void>

/** One that is listed twice happens twice as often. */
export type Faults = readonly (readonly [name: string, fault: Fault])[]

export type FaultInjection = { stop(): Promise<void> }

/** Injects one fault after the other, with pauses in between. */
export function injectFaults(options: {
  random: Random
  restMilliseconds: readonly [low: number, high: number]
  faults: Faults
  say: (what: string) => void
  /** Aborted if a fault can't be injected or undone. */
  over: AbortController
}): FaultInjection {
  const { random, restMilliseconds, faults, say, over } = options
  const stopping = new AbortController()
  const signal = AbortSignal.any([stopping.signal, over.signal])
  const work = async () => {
    while (!signal.aborted && faults.length > 0) {
      await setTimeout(random.between(...restMilliseconds), null, { signal }).catch(() => {})
      if (signal.aborted) return
      const [name, fault] = random.pick(faults)
      say(name)
      await fault(random)
    }
  }
  const working = work().catch((error) => over.abort(error))
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

const minute = 60_000
const shifts = [0, 0, 20_000, -20_000, 20 * minute, -20 * minute, 120 * minute, -120 * minute]

export function clockFaults(servers: readonly Supervised[]): Faults {
  return [['a clock jumps', async (random) => random.pick(servers).shiftClock(random.pick(shifts))]]
}

export function nameFaults(names: Names): Faults {
  const lying = lies.map((lie) => [`a name ${lie}`, async () => names.lie(lie)] as const)
  const honest = ['names are correct again', async () => names.lie(null)] as const
  return [...lying, honest, honest, honest]
}

const slow: Behavior = { name: 'responds', status: 200, after: 1_500 }

const bad: Record<string, Behavior> = {
  hangs: { name: 'hangs' },
  'breaks off': { name: 'breaks off' },
  'loses the response': { name: 'loses the response' },
  'is slow': slow,
  'is too slow': { name: 'responds', status: 200, after: 5_500 },
  'responds with 500': { name: 'responds', status: 500, after: 0 },
  'responds with 503': { name: 'responds', status: 503, after: 0 },
  'responds with 301': { name: 'responds', status: 301, after: 0 },
  'responds with 307': { name: 'responds', status: 307, after: 0 },
}

const rejections: Record<string, Behavior> = Object.fromEntries(
  [400, 401, 404, 410, 422, 429].map((status) => [`responds with ${status}`, { name: 'responds', status, after: 0 }]),
)

/** How receivers of each kind misbehave. The others never change. */
export function receiverFaults({ kind, receiver }: Partner): Faults {
  const behaving = (behaviors: Record<string, Behavior>): Faults =>
    Object.entries(behaviors).map(([name, behavior]) => [`a receiver ${name}`, async () => receiver.behave(behavior)])
  const dying: Fault = async (random) => {
    await receiver.kill()
    await setTimeout(random.between(200, 4_000))
    await receiver.start()
  }
  const misbehaving: Faults = [
    ...behaving(bad),
    ['a receiver dies', dying],
    // Healthy much of the time; otherwise everything would end as a dead letter.
    ...Array.from({ length: 6 }, () => ['a receiver recovers', async () => receiver.behave(healthy)] as const),
  ]
  if (kind === 'moody') return misbehaving
  if (kind === 'strict') return [...misbehaving, ...behaving(rejections)]
  if (kind === 'changing') return behaving({ 'is slow': slow, recovers: healthy })
  return kind === 'refusing' ? behaving(rejections) : []
}

/** Whether receivers of this kind respond with 429 at times. */
export function mayAskForPause({ kind }: Partner): boolean {
  return kind === 'strict' || kind === 'refusing'
}

/** The normal behavior of a receiver of this kind. */
export function normalBehavior({ kind }: Partner): Behavior {
  return kind === 'refusing' ? { name: 'responds', status: 410, after: 0 } : healthy
}
