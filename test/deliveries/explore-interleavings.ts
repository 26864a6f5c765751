/**
 * `npm run interleavings -- --orders 100000 --walks 10000 --depth 40 --seed 7`: the same search as in
 * interleavings.slow.test.ts, for as long as you like.
 */
import { parseArgs } from 'node:util'
import { engines } from '../../support/engines.ts'
import { createRandom } from '../../support/random.ts'
import { describeViolation, explore } from './interleavings.ts'

const { values } = parseArgs({
  options: {
    orders: { type: 'string', default: '20000' },
    walks: { type: 'string', default: '2000' },
    depth: { type: 'string', default: '30' },
    seed: { type: 'string', default: '1' },
  },
})

for (const engine of engines.filter(({ name }) => name === 'PostgreSQL')) {
  const database = await engine.open()
  const { orders, states, deepest, violation } = await explore(database, {
    orders: Number(values.orders),
    walks: Number(values.walks),
    depth: Number(values.depth),
    random: createRandom(values.seed),
  })
  await database.close()
  console.log(`${orders} orders, ${states} different states, up to ${deepest} steps`)
  console.log(violation ? describeViolation(violation) : 'No violations.')
  process.exitCode = violation ? 1 : 0
}
