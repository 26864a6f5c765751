/**
 * Opens connections that send anything and behave in any way. None may crash the process, block its event loop, get a
 * 5xx, use much memory or stay open. `--connections`, `--seed`, `--engine embedded`; `--only` repeats one of them.
 */
import { parseArgs } from 'node:util'
import { engines } from '../../support/engines.ts'
import { hostileConnection } from './connections.ts'
import { describeFinding, tableOf } from './report.ts'
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

const startedAt = performance.now()
const seconds = () => Math.round((performance.now() - startedAt) / 1000)
let printedAt = startedAt
const start = serverOn(engine.name)
console.log(`${only < 0 ? `${connections} connections` : `connection ${only}`} to ${engine.name}, seed ${seed}`)
const outcome =
  only < 0
    ? await fuzzRaw({
        ...{ start, seed, connections },
        progress(done, findings) {
          if (performance.now() - printedAt < 5_000) return
          printedAt = performance.now()
          console.log(`${seconds()} s: ${done} sent, ${findings} findings`)
        },
      })
    : await fuzzRawOnce(start, hostileConnection(seed, only))

console.log(`\n${tableOf(outcome)}\n`)
console.log(`${outcome.connections} connections in ${seconds()} s: ${outcome.findings.length} findings`)
for (const finding of outcome.findings.slice(0, 30)) console.log(`\n${describeFinding(finding, seed)}`)
process.exit(outcome.findings.length === 0 ? 0 : 1)
