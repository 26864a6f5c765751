import type { Random } from '../support/random.ts'
import { type Answer, ask, rowsOf } from './commands.ts'
import type { Site } from './site.ts'
import type { Troubles } from './troubles.ts'

/** How often the next round of a delivery was asked for, and what came back. */
export type Presses = ReadonlyMap<string, { accepted: number; unknown: number }>

/** Somebody who presses Retry and redrives dead letters, and remembers what was accepted. */
export type Operator = {
  presses: Presses
  retry(deliveryId: string): Promise<Answer>
  /** A press that something else stands for, such as a redrive of everything. */
  count(deliveryId: string, answer: Answer['outcome']): void
  /** At random moments, on deliveries that may be retried and on others. */
  troubles: Troubles
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
    const answer = await ask(site, args)
    count(deliveryId, answer.outcome)
    return answer
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
    troubles: [
      [
        'Retry of a failed delivery',
        async (random) => {
          const id = await oneDelivery(random, ['--status', 'FAILED'])
          if (id !== undefined) await retry(String(id))
        },
      ],
      [
        'Retry of any delivery, whatever its status',
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

// The newest ones: those whose attempts may still be under way are among them.
const newest = ['--limit', '50']

async function list(site: Site, args: string[]): Promise<Record<string, unknown>[]> {
  const answer = await ask(site, [...args, ...newest])
  return answer.outcome === 'done' ? rowsOf(answer.printed) : []
}

function pickOne<Item>(random: Random, items: readonly Item[]): Item | undefined {
  return items.length === 0 ? undefined : random.pick(items)
}
