import type { Database } from '../../server/database/database.ts'
import type { Random } from '../../support/random.ts'
import { type Operations, type Start, starts } from './interleaving-operations.ts'
import { createSimulation, realOperations, type Simulation } from './interleaving-simulation.ts'

/** An order of steps that violates a rule. */
export type Violation = { start: Start; order: string[]; rule: string }

export type Exploration = { orders: number; states: number; deepest: number; violation: Violation | null }

export type SearchLimits = {
  /** How many orders to run, short ones first. */
  orders: number
  /** How many long random orders to run after that, and how long they are. */
  walks: number
  depth: number
  random: Random
  operations?: Operations
}

/**
 * Runs the real statements in every order that two workers, an admin, an operator, the passing of time and a crash after
 * any statement can produce, breadth first from several starting states, up to a number of orders. An order that leads to
 * a known state is not extended: what follows from there is explored once.
 */
export async function explore(database: Database, limits: SearchLimits): Promise<Exploration> {
  const simulation = await createSimulation(database, limits.operations ?? realOperations)
  const found = await everyOrder(simulation, limits.orders)
  if (found.violation) return found
  for (let walk = 0; walk < limits.walks; walk++) {
    const start = starts[walk % starts.length] ?? 'fresh'
    const { order, broken } = await randomOrder(simulation, start, limits)
    found.orders += 1
    found.deepest = Math.max(found.deepest, order.length)
    if (broken) return { ...found, violation: { start, order, rule: broken } }
  }
  return found
}

type OpenPath = { start: Start; order: string[]; steps: string[] }

async function everyOrder(simulation: Simulation, limit: number): Promise<Exploration> {
  const seen = new Set<string>()
  const found: Exploration = { orders: 0, states: 0, deepest: 0, violation: null }
  let waiting: OpenPath[] = []
  for (const start of starts) {
    await simulation.begin(start)
    waiting.push({ start, order: [], steps: await simulation.steps() })
  }
  while (waiting.length > 0) {
    const next: OpenPath[] = []
    for (const { start, order: before, steps } of waiting) {
      for (const step of steps) {
        if (found.orders === limit) return found
        const order = [...before, step]
        found.orders += 1
        found.deepest = Math.max(found.deepest, order.length)
        const { broken, reached } = await run(simulation, { start, order }, seen)
        if (broken) return { ...found, violation: { start, order, rule: broken } }
        if (reached) next.push(reached)
      }
    }
    found.states = seen.size
    waiting = next
  }
  return found
}

/** Runs an order from its start. If it leads to a new state, also checks how that ends if nothing else goes wrong. */
async function run(
  simulation: Simulation,
  { start, order }: Pick<OpenPath, 'start' | 'order'>,
  seen: Set<string>,
): Promise<{ broken: string | null; reached: OpenPath | null }> {
  await simulation.begin(start)
  for (const step of order) {
    const broken = await simulation.take(step)
    if (broken) return { broken, reached: null }
  }
  const state = await simulation.state()
  if (seen.has(state)) return { broken: null, reached: null }
  seen.add(state)
  const reached = { start, order, steps: await simulation.steps() }
  return { broken: await simulation.finish(), reached }
}

async function randomOrder(
  simulation: Simulation,
  start: Start,
  { depth, random }: SearchLimits,
): Promise<{ order: string[]; broken: string | null }> {
  const order: string[] = []
  await simulation.begin(start)
  while (order.length < depth) {
    const steps = await simulation.steps()
    const step = random.pick(steps)
    order.push(step)
    const broken = await simulation.take(step)
    if (broken) return { order, broken }
  }
  return { order, broken: await simulation.finish() }
}

export function describeViolation({ start, order, rule }: Violation): string {
  return [`${rule}, in this order, starting ${start}:`, ...order.map((step, index) => `  ${index + 1}. ${step}`)].join(
    '\n',
  )
}
