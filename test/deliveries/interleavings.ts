import type { Random } from '../../faults/random.ts'
import type { Database } from '../../server/database/database.ts'
import { type Operations, type Start, starts } from './interleaving-operations.ts'
import { createScene, realOperations, type Scene } from './interleaving-scene.ts'

/** An order of steps that broke a rule. */
export type Violation = { start: Start; order: string[]; broken: string }

export type Exploration = { orders: number; states: number; deepest: number; violation: Violation | null }

export type Extent = {
  /** How many orders are run, the short ones first. */
  orders: number
  /** How many long orders are drawn at random after that, and how long they are. */
  walks: number
  depth: number
  random: Random
  operations?: Operations
}

/**
 * Runs the real statements in every order that two workers, an admin, an operator, the passing of time and a crash after
 * any statement can produce, breadth first from several beginnings, until so many orders have been run. An order that
 * leads to a state which was reached before goes no further: what follows from there is followed once.
 */
export async function explore(database: Database, extent: Extent): Promise<Exploration> {
  const scene = await createScene(database, extent.operations ?? realOperations)
  const found = await everyOrder(scene, extent.orders)
  if (found.violation) return found
  for (let walk = 0; walk < extent.walks; walk++) {
    const start = starts[walk % starts.length] ?? 'fresh'
    const { order, broken } = await randomOrder(scene, start, extent)
    found.orders += 1
    found.deepest = Math.max(found.deepest, order.length)
    if (broken) return { ...found, violation: { start, order, broken } }
  }
  return found
}

type Reached = { start: Start; order: string[]; steps: string[] }

async function everyOrder(scene: Scene, most: number): Promise<Exploration> {
  const seen = new Set<string>()
  const found: Exploration = { orders: 0, states: 0, deepest: 0, violation: null }
  let waiting: Reached[] = []
  for (const start of starts) {
    await scene.begin(start)
    waiting.push({ start, order: [], steps: await scene.steps() })
  }
  while (waiting.length > 0) {
    const next: Reached[] = []
    for (const { start, order: before, steps } of waiting) {
      for (const step of steps) {
        if (found.orders === most) return found
        const order = [...before, step]
        found.orders += 1
        found.deepest = Math.max(found.deepest, order.length)
        const { broken, reached } = await run(scene, { start, order }, seen)
        if (broken) return { ...found, violation: { start, order, broken } }
        if (reached) next.push(reached)
      }
    }
    found.states = seen.size
    waiting = next
  }
  return found
}

/** The whole order from its beginning, and, where that leads to a new state, what it comes to if nothing else goes wrong. */
async function run(
  scene: Scene,
  { start, order }: Pick<Reached, 'start' | 'order'>,
  seen: Set<string>,
): Promise<{ broken: string | null; reached: Reached | null }> {
  await scene.begin(start)
  for (const step of order) {
    const broken = await scene.take(step)
    if (broken) return { broken, reached: null }
  }
  const state = await scene.state()
  if (seen.has(state)) return { broken: null, reached: null }
  seen.add(state)
  const reached = { start, order, steps: await scene.steps() }
  return { broken: await scene.finish(), reached }
}

async function randomOrder(
  scene: Scene,
  start: Start,
  { depth, random }: Extent,
): Promise<{ order: string[]; broken: string | null }> {
  const order: string[] = []
  await scene.begin(start)
  while (order.length < depth) {
    const steps = await scene.steps()
    const step = random.pick(steps)
    order.push(step)
    const broken = await scene.take(step)
    if (broken) return { order, broken }
  }
  return { order, broken: await scene.finish() }
}

export function describeViolation({ start, order, broken }: Violation): string {
  return [
    `${broken}, in this order, beginning ${start}:`,
    ...order.map((step, index) => `  ${index + 1}. ${step}`),
  ].join('\n')
}
