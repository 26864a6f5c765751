import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fuzz } from '../../fuzz/run.ts'
import { engines } from '../../support/engines.ts'

for (const engine of engines) {
  test(`requests of any kind to any route cause no server error and reveal nothing of another organization on ${engine.name} · LIM-3`, async () => {
    const { requests, routes, findings } = await fuzz(engine, { seed: 4_711, requests: 800 })
    assert.deepEqual(findings, [])
    assert.equal(requests, 800)
    const served = [...routes].filter(([, statuses]) => [...statuses.keys()].some((status) => status < 300))
    assert.ok(served.length > 25, `only ${served.length} of ${routes.size} routes accepted a request`)
  })
}
