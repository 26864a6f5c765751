import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { createMetricsAggregator } from '../../server/operations/metrics/aggregator.ts'
import { createMetrics } from '../../server/operations/metrics/metrics.ts'
import { parseSamples } from '../../support/scrape.ts'

const folder = join(import.meta.dirname, '../../ops')

test('the dashboard and the alerts use only existing series, and the dashboard shows all of ours', async () => {
  const connections = () => ({ open: 0, idle: 0, waiting: 0, waits: 0, waitedSeconds: 0, moves: 0 })
  const metrics = createMetrics({ connections, backlog: async () => null })
  const aggregator = createMetricsAggregator({ serving: () => 1, deaths: () => 0 })
  aggregator.add(1, { read: () => metrics.snapshot() })
  const known = new Set((await metrics.snapshot()).map(({ name }) => name))
  for (const name of parseSamples(await aggregator.text()).names()) known.add(plain(name))

  const files = readdirSync(folder).filter((name) => /\.(json|yml)$/.test(name))
  assert.ok(files.length >= 3)
  for (const file of files) {
    const named = seriesIn(file)
    assert.ok(named.size > 0, file)
    assert.deepEqual(named.difference(known), new Set(), file)
  }
  const ours = new Set([...known].filter((name) => name.startsWith('interview_api_')))
  assert.deepEqual(ours.difference(seriesIn('grafana-dashboard.json')), new Set())
})

function seriesIn(file: string): Set<string> {
  const names = readFileSync(join(folder, file), 'utf8').match(/\b(interview_api|nodejs|process)_\w+/g) ?? []
  return new Set(names.map(plain))
}

function plain(name: string): string {
  return name.replace(/_(bucket|sum|count)$/, '')
}
