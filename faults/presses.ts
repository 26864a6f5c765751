import type { Random } from '../support/random.ts'
import { type CommandOutcome, rowsOf, tryCommand } from './commands.ts'
import type { Faults } from './injection.ts'
import type { Site } from './site.ts'

/** How often a new round of a delivery was requested, and with what outcome. */
export type Presses = ReadonlyMap<string, { accepted: number; unknown: number }>

/** An operator who presses Retry, redrives dead letters, and remembers what was accepted. */
export type Operator = {
  presses: Presses
  retry(deliveryId: string): Promise<CommandOutcome>
  /** Counts a restart by other means, such as a redrive of everything. */
  count(deliveryId: string, outcome: CommandOutcome['outcome']): void
  /** On deliveries that can be retried and on others. */
  faults: Faults
}

export function createOperator(site: Site): Operator {
  const presses = new Map<string, { accepted: number; unknown: number }>()
  const count: Operator['count'] = (deliveryId, outcome) => {
    const counted = presses.get(deliveryId) ?? { accepted: 0, unknown: 0 }
    if (outcome === 'done') counted.accepted++
    if (outcome === 'unknown') counted.unknown++
    presses.set(deliveryId, counted)
  }
  const press = async (deliveryId: string, args: string[]) => {
    const result = await tryCommand(site, args)
    count(deliveryId, result.outcome)
    return result
  }
  const retry = (deliveryId: string) => press(deliveryId, ['delivery', 'retry', '--id', deliveryId])
  const redrive = ({ id, deliveryId }: Letter) => press(deliveryId, ['dead-letter', 'redrive', '--id', id])

  const oneDelivery = async (random: Random, filter: string[]) => {
    const { organizationId } = random.pick(site.partners)
    const found = await list(site, ['delivery', 'list', '--organization', organizationId, ...filter])
    return pickOne(random, found)?.id
  }
  const oneLetter = async (random: Random): Promise<Letter | undefined> => {
    const letter = pickOne(random, await list(site, ['dead-letter', 'list']))
    return letter && { id: String(letter.id), deliveryId: String(letter.deliveryId) }
  }
  return {
    presses,
    retry,
    count,
    faults: [
      [
        'Retry of a failed delivery',
        async (random) => {
          const id = await oneDelivery(random, ['--status', 'FAILED'])
          if (id !== undefined) await retry(String(id))
        },
      ],
      [
        'Retry of a delivery in any status',
        async (random) => {
          const id = await oneDelivery(random, [])
          if (id !== undefined) await retry(String(id))
        },
      ],
      [
        'Retry twice at once',
        async (random) => {
          const id = await oneDelivery(random, ['--status', 'FAILED'])
          if (id !== undefined) await Promise.all([retry(String(id)), retry(String(id))])
        },
      ],
      [
        'redrive of a dead letter',
        async (random) => {
          const letter = await oneLetter(random)
          if (letter) await redrive(letter)
        },
      ],
      [
        'redrive and Retry at once',
        async (random) => {
          const letter = await oneLetter(random)
          if (letter) await Promise.all([redrive(letter), retry(letter.deliveryId)])
        },
      ],
    ],
  }
}

type Letter = { id: string; deliveryId: string }

// The newest, because their attempts may still be in flight.
const newest = ['--limit', '50']

async function list(site: Site, args: string[]): Promise<Record<string, unknown>[]> {
  const result = await tryCommand(site, [...args, ...newest])
  return result.outcome === 'done' ? rowsOf(result.printed) : []
}

function pickOne<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : random.pick(items)
}
