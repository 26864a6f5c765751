/**
 * Connections that send anything at all, in any manner: none may end the process, hold up its event loop, be answered 5xx,
 * make it hold much memory, or be left behind. `--connections`, `--seed`, `--engine embedded`; `--only` repeats one.
 */
import { parseArgs } from 'node:util'
import { engines } from '../../support/engines.ts'
import { hostileConnection } from './connections.ts'
import { describeFault, tableOf } from './report.ts'
import { fuzzRaw, fuzzRawOnce } from './run.ts'
import { serverOn } from './target.ts'

const { values } = parseArgs({
  options: {
    connections: { type: 'string', default: '50000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'PostgreSQL' },
    only: { type: 'string' },
  },
})
const engine = engines.find(({ name }) => name === values.engine)
const [connections, seed, only] = [Number(values.connections), Number(values.seed), Number(values.only ?? -1)]
if (!engine || ![connections, seed, only].every(Number.isInteger)) {
  console.error('Use --connections <number> --seed <number> --only <number> --engine PostgreSQL or embedded')
  process.exit(2)
}

const begun = performance.now()
const seconds = () => Math.round((performance.now() - begun) / 1000)
let told = begun
const start = serverOn(engine.name)
console.log(`${only < 0 ? `${connections} connections` : `connection ${only}`} to ${engine.name}, seed ${seed}`)
const outcome =
  only < 0
    ? await fuzzRaw({
        ...{ start, seed, connections },
        progress(done, found) {
          if (performance.now() - told < 5_000) return
          told = performance.now()
          console.log(`${seconds()} s: ${done} sent, ${found} faults`)
        },
      })
    : await fuzzRawOnce(start, hostileConnection(seed, only))

console.log(`\n${tableOf(outcome)}\n`)
console.log(`${outcome.connections} connections in ${seconds()} s: ${outcome.faults.length} faults`)
for (const fault of outcome.faults.slice(0, 30)) console.log(`\n${describeFault(fault, seed)}`)
process.exit(outcome.faults.length === 0 ? 0 : 1)
