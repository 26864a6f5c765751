/**
 * Sends generated requests to every route of /v1, /internal/v1 and /settings/api. No response may be a server error or
 * contain data of another organization. `--requests`, `--seed`, `--engine embedded`.
 */
import { parseArgs } from 'node:util'
import { engines } from '../support/engines.ts'
import { fuzz } from './run.ts'

const { values } = parseArgs({
  options: {
    requests: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    engine: { type: 'string', default: 'PostgreSQL' },
  },
})
const engine = engines.find(({ name }) => name === values.engine)
const [requests, seed] = [Number(values.requests), Number(values.seed)]
if (!engine || !Number.isInteger(requests) || !Number.isInteger(seed)) {
  console.error('Use --requests <number> --seed <number> --engine PostgreSQL or embedded')
  process.exit(2)
}

console.log(`${requests} requests on ${engine.name}, seed ${seed}`)
const startedAt = performance.now()
let printedAt = startedAt
const { routes, findings, ...counted } = await fuzz(engine, {
  seed,
  requests,
  progress(done, found) {
    if (performance.now() - printedAt < 5_000) return
    printedAt = performance.now()
    console.log(`${done} sent, ${found} findings`)
  },
})

console.log('\n| route | responses |\n|---|---|')
for (const [name, statuses] of [...routes].sort(([one], [other]) => one.localeCompare(other))) {
  const counts = [...statuses].sort(([one], [other]) => one - other).map(([status, times]) => `${status} × ${times}`)
  console.log(`| ${name} | ${counts.join(', ')} |`)
}
const seconds = Math.round((performance.now() - startedAt) / 1000)
console.log(`\n${counted.requests} requests in ${seconds} s: ${findings.length} findings`)
for (const { what, request, response } of findings.slice(0, 20)) {
  const { route, as, path, body } = request
  console.log(`\n${what}: ${route.method} ${path} as ${as}\n  body ${JSON.stringify(body)}\n  response ${response}`)
}
process.exit(findings.length === 0 ? 0 : 1)
