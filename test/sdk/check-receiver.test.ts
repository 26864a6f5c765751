import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import express from 'express'
import { runCommand as runOperatorCommand } from '../../cli/program.ts'
import packageFile from '../../sdk/package.json' with { type: 'json' }
import { checkReceiver } from '../../sdk/src/cli/check-receiver.ts'
import { runCommand } from '../../sdk/src/cli/commands.ts'
import { postTo } from '../../sdk/src/cli/post.ts'
import { secretVariable } from '../../sdk/src/cli/secret.ts'
import { createMemoryStore } from '../../sdk/src/memory-store.ts'
import type { ProbeAnswer } from '../../sdk/src/probe-answers.ts'
import { coreProbes } from '../../sdk/src/probes.ts'
import { createReceiver } from '../../sdk/src/receiver.ts'
import { selfSigned } from '../../support/tls.ts'
import { type Listening, listen } from './receiving.ts'
import { now, secret, signed } from './signed.ts'
import { type Handler, handWritten } from './wrong-receivers.ts'

// The developer's own settings must not reach the commands under test.
delete process.env[secretVariable]

const servers: Listening[] = []
after(() => Promise.all(servers.map((server) => server.close())))

async function serve(handler: Handler): Promise<string> {
  const server = await listen(handler)
  servers.push(server)
  return server.url
}

async function check(handler: Handler, countUrl: string | null = null) {
  const { findings } = await checkReceiver({ url: new URL(await serve(handler)), secret, countUrl })
  // Response times on a busy machine say nothing about the receiver.
  const problems = findings.filter(({ ok, detail }) => !ok && !detail.includes('but only after'))
  return Object.fromEntries(problems.map((finding) => [finding.name, finding]))
}

/** The SDK's receiver, with a second URL that returns how often a result was processed. */
async function serveGood() {
  const counts = new Map<string, number>()
  const receiver = createReceiver({
    secret,
    seen: createMemoryStore(),
    onResult: ({ resultId }) => void counts.set(resultId, (counts.get(resultId) ?? 0) + 1),
  })
  const url = await serve(receiver.node)
  const countUrl = await serveCounts(counts)
  return { url, countUrl }
}

async function serveCounts(counts: Map<string, number>): Promise<string> {
  const url = await serve(
    (request, response) => void response.end(String(counts.get(String(request.url?.slice(1))) ?? 0)),
  )
  return `${url}/{resultId}`
}

describe('the check names what is wrong with a receiver, and nothing else', { concurrency: 2 }, () => {
  test('one that parses the body first', async () => {
    const problems = await check(handWritten({ parsesFirst: true }))
    assert.deepEqual(Object.keys(problems), ['valid', 'wrong_signature'])
    assert.match(String(problems.valid?.advice), /parses the body and serializes it again.*raw bytes/s)
    assert.match(String(problems.wrong_signature?.detail), /whitespace added after signing/)
  })

  test('one that ignores the time', async () => {
    const problems = await check(handWritten({ ignoresTime: true }))
    assert.deepEqual(Object.keys(problems), ['old_timestamp'])
    assert.match(String(problems.old_timestamp?.advice), /five minutes/)
  })

  test('one that accepts only 100 kB', async () => {
    const app = express().use(express.raw({ type: '*/*' }))
    const right = handWritten({})
    app.post('/', (request, response) => {
      right(Object.assign(request, { toArray: async () => [request.body] }), response)
    })
    const problems = await check(app)
    assert.deepEqual(Object.keys(problems), ['largest_body'])
    assert.equal(problems.largest_body?.status, 413)
    assert.match(String(problems.largest_body?.advice), /2 MB/)
  })

  test('one that compares only a prefix', async () => {
    const problems = await check(handWritten({ comparesPrefix: true }))
    assert.deepEqual(Object.keys(problems), ['wrong_signature'])
    assert.match(String(problems.wrong_signature?.detail), /differs only in its last character/)
    assert.match(String(problems.wrong_signature?.advice), /whole digest/)
  })

  test('one that does not deduplicate, if it reports how often it processed a result', async () => {
    const counts = new Map<string, number>()
    const store = (resultId: string) => void counts.set(resultId, (counts.get(resultId) ?? 0) + 1)
    const problems = await check(handWritten({ store }), await serveCounts(counts))
    assert.deepEqual(Object.keys(problems), ['processed_once'])
    assert.match(String(problems.processed_once?.detail), /Processed four copies of sample_\w+ 4 times/)
  })

  test('one that breaks on a repeat', async () => {
    const known = new Set<string>()
    const store = (resultId: string) => {
      if (known.size === known.add(resultId).size) throw new Error('duplicate key')
    }
    const problems = await check(handWritten({ store }))
    assert.deepEqual(Object.keys(problems), ['repeated', 'concurrent'])
    assert.match(String(problems.repeated?.advice), /Answer 2xx to a result you already have/)
  })

  test('one that breaks on an unknown field or content type', async () => {
    const right = handWritten({})
    const problems = await check(async (request, response) => {
      const raw = Buffer.concat(await request.toArray())
      const broken = raw.includes('addedLater') || request.headers['content-type'] !== 'application/json'
      if (broken) response.writeHead(500).end()
      else right(Object.assign(request, { toArray: async () => [raw] }), response)
    })
    assert.deepEqual(Object.keys(problems), ['unknown_fields', 'content_type'])
  })

  test('one that takes the first chunk for the whole body', async () => {
    const right = handWritten({})
    const problems = await check((request, response) => {
      request.once('data', (piece: Buffer) => {
        const declared = Number(request.headers['content-length'])
        if (piece.length === declared || declared > 60_000) request.unshift(piece)
        else Object.assign(request, { toArray: async () => [piece] })
        right(request, response)
      })
    })
    assert.deepEqual(Object.keys(problems), ['slow_body'])
  })

  test('one that responds with 202 slowly, or not in time', async () => {
    const send = postTo(new URL(await serve(handWritten({ status: 202 }))))
    const judge = async (answer: Partial<ProbeAnswer>) => {
      const [valid] = coreProbes
      const slow = async (request: Parameters<typeof send>[0]) => ({ ...(await send(request)), ...answer })
      return valid?.run({ send: slow, secret, now: () => new Date() })
    }
    assert.partialDeepStrictEqual(await judge({}), { ok: true, status: 202 })
    const slow = await judge({ milliseconds: 2_600 })
    assert.match(String(slow?.detail), /202, but only after 2.6 seconds/)
    assert.match(String(slow?.advice), /Respond first and work afterwards/)
    const late = await judge({ status: null, error: 'TIMEOUT: nothing within five seconds' })
    assert.match(String(late?.advice), /within five seconds/)
  })

  test('one that accepts everything', async () => {
    const open = await check((request, response) => void request.resume().on('end', () => response.end()))
    assert.deepEqual(Object.keys(open), ['wrong_signature', 'old_timestamp'])
  })
})

describe('the check of a receiver that accepts no genuine event gives one reason and stops', () => {
  async function firstFinding(url: string, signedWith = secret) {
    const { findings, notSent } = await checkReceiver({ url: new URL(url), secret: signedWith, countUrl: null })
    assert.equal(findings.length, 1)
    assert.equal(notSent.length, 8)
    const [finding] = findings
    assert.ok(finding && !finding.ok)
    return finding
  }
  const respondingWith = (status: number) =>
    serve((request, response) => void request.resume().on('end', () => response.writeHead(status).end()))

  test('a wrong path', async () => {
    const { detail, advice } = await firstFinding(await respondingWith(404))
    assert.equal(detail, 'Answered with 404.')
    assert.match(String(advice), /Check the path/)
  })

  test('a wrong secret', async () => {
    const { status, advice } = await firstFinding(await serve(handWritten({})), `${secret}-other`)
    assert.equal(status, 401)
    assert.match(String(advice), /different signing secret: compare the two.*raw bytes.*clock/)
  })

  test('a redirect, another method, a crash', async () => {
    assert.match(String((await firstFinding(await respondingWith(308))).advice), /Redirects are not followed/)
    assert.match(String((await firstFinding(await respondingWith(405))).advice), /does not accept POST/)
    assert.match(String((await firstFinding(await respondingWith(500))).advice), /look at its log/)
  })

  test('nothing listening', async () => {
    const gone = await listen(() => {})
    await gone.close()
    const { detail, advice } = await firstFinding(gone.url)
    assert.match(detail, /^No response. NETWORK: connection refused.*\(ECONNREFUSED\)\.$/)
    assert.match(String(advice), /Check that the receiver is running/)
  })

  test('an untrusted certificate, and https where there is only http', async () => {
    const secure = await listen(() => {}, selfSigned({ names: ['127.0.0.1'] }))
    servers.push(secure)
    const { detail, advice } = await firstFinding(secure.url)
    assert.match(detail, /TLS: its certificate is not trusted.*NODE_EXTRA_CA_CERTS=/)
    assert.match(String(advice), /issued by a trusted authority/)
    const plain = await serve(handWritten({}))
    assert.match((await firstFinding(plain.replace('http:', 'https:'))).detail, /does not speak TLS.*http:/)
  })

  test('the report has the one cause and says why the check stopped', async () => {
    const { status, stdout } = await runCommand(['check-receiver', await respondingWith(404), '--secret', secret])
    assert.equal(status, 1)
    assert.match(stdout, /✗ {2}A signed event +404 +\d+ ms\n {5}Answered with 404\.\n {5}→ Nothing is there/)
    assert.match(
      stdout,
      /Stopped here: until the receiver accepts a genuine event, the other 8 probes would fail too\.\n$/,
    )
  })
})

describe('the command line', () => {
  let good: Awaited<ReturnType<typeof serveGood>>
  before(async () => {
    good = await serveGood()
  })

  test('finds nothing wrong with the SDK’s receiver, and says what it can’t check from outside · DLV-2', async () => {
    const args = ['check-receiver', good.url, '--secret', secret, '--count-url', good.countUrl]
    const { status, stdout, stderr } = await runCommand(args)
    assert.deepEqual([status, stderr], [0, ''], stdout)
    assert.match(stdout, /All 10 probes passed/)
    assert.match(
      stdout,
      /✓ {2}The same event twice +200 +\d+ ms\n.*Check on your side that sample_\w+ was processed once/,
    )
    assert.ok(!stdout.includes(secret))
  })

  test('the operator’s command line runs the same check, with --json and an exit status', async () => {
    const url = await serve(handWritten({ ignoresTime: true }))
    const noServices = () => Promise.reject(new Error('the services were opened'))
    const args = ['check-receiver', url, '--secret', secret, '--json']
    const { status, stdout, stderr } = await runOperatorCommand(args, noServices)
    assert.deepEqual([status, stderr], [1, ''])
    const { ok, findings } = JSON.parse(stdout)
    assert.equal(ok, false)
    assert.equal(findings.length, 9)
    assert.ok(!stdout.includes(secret))
  })

  test('verify-signature gives the reason, with the secret from the environment', async (context) => {
    const { headers, body } = await signed()
    const { 'x-service-signature': signature = '' } = headers
    const file = join(tmpdir(), `body-${randomUUID()}.json`)
    await writeFile(file, body)
    context.after(() => rm(file))
    const at = ['--at', now.toISOString()]
    const saved = ['--body-file', file, '--secret', secret]
    for (const time of [now.toISOString(), String(now.getTime() / 1000)]) {
      const right = await runCommand(['verify-signature', '--header', signature, ...saved, '--at', time])
      assert.deepEqual([right.status, right.stderr], [0, ''])
    }

    process.env[secretVariable] = ` ${secret}`
    context.after(() => delete process.env[secretVariable])
    const header = `X-Proxy-Signature: ${signature}`
    const wrong = await runCommand(['verify-signature', '--header', header, '--body-file', file, ...at, '--json'])
    assert.equal(wrong.status, 1)
    const { causes }: { causes: { name: string }[] } = JSON.parse(wrong.stdout)
    assert.deepEqual(
      causes.map(({ name }) => name),
      ['header_renamed', 'secret_white_space'],
    )
    assert.ok(!wrong.stdout.includes(secret))
  })

  test('a check that can’t run exits with 2 and says why', async () => {
    const problems: [args: string[], message: RegExp][] = [
      [[], /Usage/],
      [['check'], /Unknown command: check/],
      [['check-receiver'], /Usage/],
      [['check-receiver', 'localhost:4000', '--secret', secret], /must start with http/],
      [['check-receiver', good.url, '--sekret', secret], /--sekret/],
      [
        ['check-receiver', good.url, '--secret', secret, '--count-url', 'notaurl'],
        /^--count-url must start with http:\/\/ or https:\/\/, not notaurl\n$/,
      ],
      [
        ['verify-signature', '--header', 't=1,v1=2', '--body-file', '/nowhere', '--at', '1767323045678'],
        /^--at must be a time such as 2026-01-02T03:04:05Z or Unix seconds, not 1767323045678\n$/,
      ],
      [['check-receiver', good.url], /signing secret is missing/],
      [['verify-signature', '--header', 't=1,v1=2'], /Usage/],
      [['verify-signature', '--header', 't=1,v1=2', '--body-file', '/nowhere', '--secret', secret], /nowhere/],
    ]
    for (const [args, message] of problems) {
      const { status, stdout, stderr } = await runCommand(args)
      assert.deepEqual([status, stdout], [2, ''])
      assert.match(stderr, message)
      assert.ok(!stderr.includes(secret))
    }
  })

  test('--version prints the version of the package', async () => {
    assert.deepEqual(await runCommand(['--version']), { status: 0, stdout: `${packageFile.version}\n`, stderr: '' })
  })

  test('each command has help', async () => {
    for (const args of [['--help'], ['help'], ['check-receiver', '--help'], ['verify-signature', '-h']]) {
      const { status, stdout, stderr } = await runCommand(args)
      assert.deepEqual([status, stderr], [0, ''])
      assert.match(stdout, /^Usage:/)
    }
    assert.match((await runCommand(['check-receiver', '--help'])).stdout, /--count-url.*NODE_EXTRA_CA_CERTS/s)
  })
})
