import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { cp, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { promisify } from 'node:util'
import {
  cli,
  type ExitResult,
  type Folder,
  runServer,
  type ServerProcess,
  startServer,
  temporaryFolder,
} from '../../support/process.ts'
import { call } from '../../support/service.ts'

describe('the server on its embedded database', () => {
  let folder: Folder
  let directory: string
  let portTaken: ExitResult
  let first: ExitResult
  let firstUrl: string
  let key: string
  let firstAnswer: unknown
  let leftBehind: boolean
  let server: ServerProcess
  let startCost: number

  before(async () => {
    folder = await temporaryFolder()
    directory = join(folder.path, 'data')
    portTaken = await startOnTakenPort(directory)

    const starting = await startServer({ DATA_DIR: directory })
    await starting.printed('curl')
    firstUrl = starting.url
    key = starting.stdout().match(/service_live_\S+/)?.[0] ?? ''
    firstAnswer = JSON.parse(await inShell(printedRequest(starting.stdout())))
    first = await starting.stop()

    leftBehind = existsSync(join(directory, 'database', 'postmaster.pid'))
    await cp(directory, join(folder.path, 'copy'), { recursive: true })
    server = await startServer({ DATA_DIR: directory })
    startCost = processorSeconds(server.pid)
  })
  after(async () => {
    await server?.kill()
    await folder?.[Symbol.asyncDispose]()
  })

  test('the first start prints the URLs, the organization and its key', () => {
    assert.match(first.stdout, new RegExp(`${firstUrl}/docs\n`))
    assert.match(first.stdout, /Organization +org_[0-9a-z]{26}\n/)
    assert.match(first.stdout, /API key +service_live_[A-Za-z0-9]{16}\.[A-Za-z0-9_-]{43}\n/)
    assert.equal(first.stderr, '')
  })

  test('the printed credentials work in the settings area · SET-1', async () => {
    assert.match(first.stdout, new RegExp(`Settings +${firstUrl}/settings\n`))
    const [, email] = /Email +(\S+)\n/.exec(first.stdout) ?? []
    const [, password] = /Password +(\S+)\n/.exec(first.stdout) ?? []
    const credentials = { email, password }
    const response = await call(server.url, 'POST', '/settings/api/sign-in', { origin: server.url }, credentials)
    assert.partialDeepStrictEqual(response.body, { organizations: [{ name: 'Demo', role: 'admin' }] })
    assert.doesNotMatch(response.headers.getSetCookie().join(), /Secure/, 'plain http on a laptop')
  })

  test('the printed request works as it is', () => {
    assert.partialDeepStrictEqual(firstAnswer, {
      title: 'Backend engineer',
      description: 'Services, queues and databases.',
      externalPostingId: null,
    })
  })

  test('a start on a taken port says so, and the first successful start still prints the key', () => {
    assert.equal(portTaken.status, 1)
    assert.match(portTaken.stderr, /^Port \d+ on 127\.0\.0\.1 is taken by another program\. .*PORT.*\n$/)
    assert.doesNotMatch(portTaken.stdout, /service_live_/)
    assert.match(key, /^service_live_/)
  })

  test('a later start has all data and prints no key · AUTH-11', async () => {
    const { body } = await call(server.url, 'GET', '/v1/templates', { 'x-service-api-key': key })
    assert.deepEqual(body, { data: [firstAnswer], nextCursor: null })
    await server.printed('request completed')
    assert.doesNotMatch(server.stdout() + server.stderr(), /service_live_|first time/)
  })

  test('neither the data nor the log contains the key · AUTH-11', async () => {
    const secret = key.split('.')[1] ?? ''
    const found = await promisify(execFile)('grep', ['-rlaF', secret, directory]).catch((error) => error)
    assert.equal(found.code, 1, `grep found it: ${found.stdout}`)
    const log = first.stdout.split('\n').filter((line) => line.startsWith('{'))
    assert.ok(log.length > 0 && !log.join().includes(secret))
  })

  test('only the owner can read the data and its secrets', { skip: process.platform === 'win32' }, async () => {
    const modes = { '.': 0o700, database: 0o700, 'secrets-key': 0o600, 'engine-token': 0o600, 'control.sock': 0o600 }
    for (const [name, mode] of Object.entries(modes)) {
      assert.equal((await stat(join(directory, name))).mode & 0o777, mode, name)
    }
  })

  test('a second process on the same directory exits with a message that names it, and does no harm', async () => {
    const second = await runServer({ DATA_DIR: directory })
    assert.equal(second.status, 1)
    const message = `Another process is using ${directory}. Stop it first, or set DATA_DIR to another directory.\n`
    assert.equal(second.stderr, message)
    assert.equal(second.stdout, '')

    const body = { title: 'Still here', description: 'After the second one' }
    const { status } = await call(server.url, 'POST', '/v1/templates', { 'x-service-api-key': key }, body)
    assert.equal(status, 201)
  })

  test('stopping shuts the database down cleanly, so the next start has nothing to recover', () => {
    assert.ok(existsSync(join(directory, 'database', 'postmaster.pid')))
    assert.equal(leftBehind, false)
  })

  test('acknowledged writes survive kill -9', async () => {
    const copy = join(folder.path, 'copy')
    const titles: string[] = []
    for (let round = 1; round <= 2; round += 1) {
      await using struck = await startServer({ DATA_DIR: copy })
      const posts = Array.from({ length: 5 }, (_, index) => {
        const body = { title: `Round ${round}, ${index}`, description: 'Acknowledged' }
        return call(struck.url, 'POST', '/v1/templates', { 'x-service-api-key': key }, body)
      })
      const responses = await Promise.all(posts)
      assert.ok(responses.every(({ status }) => status === 201))
      titles.push(...responses.map(({ text }) => JSON.parse(text).title))
      await struck.kill()
    }
    const organizations = await cli(['organization', 'list'], { DATA_DIR: copy })
    assert.partialDeepStrictEqual(organizations, { data: [{ name: 'Demo' }] }, 'a command recovers it, too')

    await using again = await startServer({ DATA_DIR: copy })
    const { text } = await call(again.url, 'GET', '/v1/templates', { 'x-service-api-key': key })
    const stored = JSON.parse(text).data.map(({ title }: { title: string }) => title)
    assert.deepEqual(new Set(stored), new Set([...titles, 'Backend engineer']))
  })

  test('a later start uses little CPU', { skip: process.platform !== 'linux' }, (t) => {
    t.diagnostic(`ready after ${Math.round(server.millisecondsToReady)} ms, ${startCost} s of them on the processor`)
    assert.ok(startCost < 4, `${startCost} s`)
  })
})

/** CPU time, not wall-clock time, which depends on what else the machine is doing. */
function processorSeconds(pid: number | undefined): number {
  if (process.platform !== 'linux') return 0
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  const ticksPerSecond = 100
  return (Number(fields[11]) + Number(fields[12])) / ticksPerSecond
}

async function startOnTakenPort(directory: string): Promise<ExitResult> {
  const other = createServer()
  await new Promise<void>((resolve) => other.listen(0, '127.0.0.1', resolve))
  const address = other.address()
  assert.ok(address !== null && typeof address === 'object')
  const ended = await runServer({ DATA_DIR: directory, PORT: String(address.port) })
  other.close()
  return ended
}

function printedRequest(output: string): string {
  return /^ *curl [\s\S]*?\n(?=\n)/m.exec(output)?.[0] ?? ''
}

/** Runs the line as a person would paste it. Without curl, sends the same request with fetch. */
async function inShell(line: string): Promise<string> {
  const run = promisify(execFile)
  const hasCurl = await run('curl', ['--version']).catch(() => null)
  if (hasCurl) return (await run('sh', ['-c', line])).stdout
  const url = /http:\S+/.exec(line)?.[0] ?? ''
  const headers = [...line.matchAll(/-H '([^:]+): ([^']+)'/g)].map(([, name = '', value = '']) => [name, value])
  const body = /-d '([^']+)'/.exec(line)?.[1] ?? ''
  return (await fetch(url, { method: 'POST', headers: Object.fromEntries(headers), body })).text()
}
