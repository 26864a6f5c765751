import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { type Behavior, hostileConnection } from '../../fuzz/raw/connections.ts'
import { describeFinding, escaped } from '../../fuzz/raw/report.ts'
import { fuzzRaw } from '../../fuzz/raw/run.ts'
import { serverOn, type Target } from '../../fuzz/raw/target.ts'
import { engines } from '../../support/engines.ts'
import { type ExitResult, freePort } from '../../support/process.ts'

const seed = 4_711

/** The short form of `npm run fuzz -- raw`. */
for (const { name } of engines) {
  test(`hostile connections crash, delay and poison nothing on ${name} · ROB-1 · ROB-2 · ROB-3`, async () => {
    const { connections, responses, findings } = await fuzzRaw({ start: serverOn(name), seed, connections: 1_000 })
    assert.deepEqual(
      findings.map((finding) => describeFinding(finding, seed)),
      [],
    )
    assert.ok(connections >= 1_000 && responses.size > 6, `${connections} connections, ${responses.size} statuses`)
  })
}

const get = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'
const upgrade = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: a\r\n\r\n'
const connect = 'CONNECT a:1 HTTP/1.1\r\nHost: a:1\r\n\r\n'
const reads: Behavior = { kind: 'reads the response' }
// As soon as the server has responded, however long that takes.
const resets: Behavior = { kind: 'resets', afterBytes: connect.length, pauseMilliseconds: 60_000 }

/** For each bug, the bytes that trigger it among harmless ones, and the expected report. */
const found: [bug: string, bytes: string, behavior: Behavior, what: RegExp][] = [
  ['crashes', connect, resets, /^the process ended with 1$/],
  ['blocks the loop', get, reads, /^blocked the event loop for \d+ ms$/],
  ['responds with 500', get, reads, /^responded with 500$/],
  ['leaks memory', get, reads, /^memory grew by \d+ MB$/],
  ['leaves connections open', upgrade, { kind: 'ends its side' }, /^a connection is still open/],
]

describe('hostile connections', () => {
  for (const [bug, bytes, behavior, what] of found) {
    test(`find a server that ${bug}, and the bytes that reproduce it`, async () => {
      const hostile = { name: bug, bytes: Buffer.from(bytes), behavior }
      const harmless = { name: 'harmless', bytes: Buffer.from('\r\n'), behavior: { kind: 'closes at once' } as const }
      const outcome = await fuzzRaw({
        start: startBuggy(bug),
        seed,
        connections: 120,
        connectionAt: (_seed, index) => ({
          ...(index % 30 === 0 || bug === 'leaks memory' ? hostile : harmless),
          index,
        }),
      })
      const [first, ...more] = outcome.findings
      assert.match(first?.what ?? 'nothing', what)
      if (bug !== 'leaks memory') assert.equal(first?.connection?.bytes.toString(), bytes)
      assert.deepEqual(more, [])
    })
  }

  test('are the same with the same seed, and different with another', () => {
    const texts = (seed: number) =>
      Array.from({ length: 200 }, (_, index) => {
        const { bytes, ...rest } = hostileConnection(seed, index)
        return JSON.stringify({ ...rest, bytes: bytes.toString('latin1') })
      })
    assert.deepEqual(texts(1), texts(1))
    assert.notDeepEqual(texts(1), texts(2))
  })

  test('are printed in readable form', () => {
    assert.equal(escaped(Buffer.from('GET /\0 "\xff\r\n', 'latin1')), '"GET /\\x00 \\"\\xff\\r\\n"')
    assert.match(escaped(Buffer.alloc(2_000, 'a')), /^"a{600}" and 1400 more$/)
  })
})

const startBuggy =
  (bug: string) =>
  async (environment: Record<string, string>): Promise<Target> => {
    const port = await freePort()
    const child = spawn(process.execPath, [join(import.meta.dirname, 'buggy-server.ts')], {
      env: { ...process.env, ...environment, BUG: bug, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    let stderr = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const ended = new Promise<ExitResult>((resolve) =>
      child.once('close', (status, signal) => resolve({ status, signal, stdout: '', stderr })),
    )
    await once(child.stdout, 'data')
    return {
      port,
      ended,
      async stop() {
        child.kill('SIGKILL')
        await ended
      },
    }
  }
