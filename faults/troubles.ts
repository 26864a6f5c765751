import { setTimeout } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import { lies, type Names } from './names.ts'
import type { Partner } from './partners.ts'
import type { Mood } from './receiver.ts'
import { well } from './receivers.ts'
import type { Supervised } from './supervised.ts'

/** Something that goes wrong, and is right again before the promise resolves, or until the next one of its kind. */
export type Trouble = (random: Random) => Promise<void>

/** Those that are in it twice come twice as often. */
export type Troubles = readonly (readonly [name: string, trouble: Trouble])[]

export type Troubling = { stop(): Promise<void> }

/** One trouble after the other, with rests in between. */
export function startTroubling(options: {
  random: Random
  restMilliseconds: readonly [low: number, high: number]
  troubles: Troubles
  say: (what: string) => void
}): Troubling {
  const { random, restMilliseconds, troubles, say } = options
  const stopping = new AbortController()
  const work = async () => {
    while (!stopping.signal.aborted && troubles.length > 0) {
      await setTimeout(random.between(...restMilliseconds), null, { signal: stopping.signal }).catch(() => {})
      if (stopping.signal.aborted) return
      const [name, trouble] = random.pick(troubles)
      say(name)
      await trouble(random)
    }
  }
  const working = work()
  return {
    async stop() {
      stopping.abort()
      await working
    },
  }
}

const minute = 60_000
const shifts = [0, 0, 20_000, -20_000, 20 * minute, -20 * minute, 120 * minute, -120 * minute]

export function clockTroubles(servers: readonly Supervised[]): Troubles {
  return [['a clock jumps', async (random) => random.pick(servers).shiftClock(random.pick(shifts))]]
}

export function nameTroubles(names: Names): Troubles {
  const lying = lies.map((lie) => [`a name ${lie}`, async () => names.lie(lie)] as const)
  const honest = ['names are true again', async () => names.lie(null)] as const
  return [...lying, honest, honest, honest]
}

const slow: Mood = { name: 'answers', status: 200, after: 1_500 }

const bad: Record<string, Mood> = {
  hangs: { name: 'hangs' },
  'breaks off': { name: 'breaks off' },
  'forgets to answer': { name: 'forgets to answer' },
  'is slow': slow,
  'is too slow': { name: 'answers', status: 200, after: 5_500 },
  'answers 500': { name: 'answers', status: 500, after: 0 },
  'answers 503': { name: 'answers', status: 503, after: 0 },
  'answers 301': { name: 'answers', status: 301, after: 0 },
  'answers 307': { name: 'answers', status: 307, after: 0 },
}

const refusals: Record<string, Mood> = Object.fromEntries(
  [400, 401, 404, 410, 422, 429].map((status) => [`answers ${status}`, { name: 'answers', status, after: 0 }]),
)

/** What receivers of each kind do; those not named here do the same all the time. */
export function receiverTroubles({ kind, receiver }: Partner): Troubles {
  const feeling = (moods: Record<string, Mood>): Troubles =>
    Object.entries(moods).map(([name, mood]) => [`a receiver ${name}`, async () => receiver.feel(mood)])
  const dying: Trouble = async (random) => {
    await receiver.kill()
    await setTimeout(random.between(200, 4_000))
    await receiver.start()
  }
  const troubled: Troubles = [
    ...feeling(bad),
    ['a receiver dies', dying],
    // In good health for a good part of the time: otherwise everything would end as a dead letter.
    ...Array.from({ length: 6 }, () => ['a receiver recovers', async () => receiver.feel(well)] as const),
  ]
  if (kind === 'moody') return troubled
  if (kind === 'strict') return [...troubled, ...feeling(refusals)]
  if (kind === 'changing') return feeling({ 'is slow': slow, recovers: well })
  return kind === 'refusing' ? feeling(refusals) : []
}

/** What a receiver of this kind is like when nothing troubles it. */
export function natureOf({ kind }: Partner): Mood {
  return kind === 'refusing' ? { name: 'answers', status: 410, after: 0 } : well
}
