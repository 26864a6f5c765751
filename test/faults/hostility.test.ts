import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { judgeHostility, startHostility } from '../../faults/hostility.ts'
import { eventually } from '../../support/process.ts'
import { createRandom } from '../../support/random.ts'

const connection = { name: 'QUERY /', bytes: Buffer.from('QUERY / HTTP/1.1\r\n\r\n') }

test('the fault suite reports a 5xx to a stranger unless the database is unavailable · ROB-2', () => {
  const broken = { connection, response: 'HTTP/1.1 500 Internal Server Error\r\n' }
  const away = { connection, response: 'HTTP/1.1 503 Service Unavailable\r\n' }
  assert.deepEqual(judgeHostility([away]), [])
  const [found, ...more] = judgeHostility([away, broken])
  assert.match(found ?? '', /^QUERY \/, "QUERY \/ HTTP\/1\.1\\r\\n\\r\\n", got HTTP\/1\.1 500 /)
  assert.deepEqual(more, [])
})

test('the fault suite’s strangers record the responses of a server, and leave when they are stopped', async () => {
  const server = createServer((_request, response) => response.writeHead(500).end())
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  const urls = [`http://127.0.0.1:${port}`]
  const pace = { strangers: 4, restMilliseconds: 0, over: new AbortController() }
  const hostility = startHostility({ seed: 1, urls, random: createRandom('1'), ...pace })
  assert.ok(await eventually(async () => hostility.serverErrors.length > 0))
  await hostility.stop()
  const open = () => new Promise<number>((resolve) => server.getConnections((_error, count) => resolve(count)))
  assert.ok(await eventually(async () => (await open()) === 0))
  server.close()
})
