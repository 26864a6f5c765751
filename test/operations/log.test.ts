import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const log = join(import.meta.dirname, '../../server/operations/log.ts')

type Line = Record<string, unknown>

/** What a process that ends after `body` has printed. */
async function printed(body: string, options = ''): Promise<Line[]> {
  const { stdout } = await run(process.execPath, logging(body, options))
  return parsed(stdout)
}

function logging(body: string, options = ''): string[] {
  const script = `
    import { createLogger } from ${JSON.stringify(log)}
    const logger = createLogger('info'${options && `, ${options}`})
    ${body}`
  return ['--input-type=module-typescript', '-e', script]
}

function parsed(stdout: string): Line[] {
  return stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line): Line => JSON.parse(line))
}

const messages = (lines: Line[]) => lines.map(({ msg }) => msg)

test('lines keep their order, whether or not they wait to be written together', async () => {
  const lines = await printed(`
    for (let number = 1; number <= 100; number++) logger.info({ number }, 'waits')
    logger.warn('does not wait')
    logger.child({ reqId: 'r-1' }).info({ number: 101 }, 'of a request')
    logger.info({ number: 102 }, 'waits')
    logger.info({ err: new Error('broken') }, 'has an error')
    logger.info({ number: 103 }, 'waits')`)
  assert.deepEqual(
    lines.flatMap(({ number }) => (number === undefined ? [] : [number])),
    Array.from({ length: 103 }, (_, index) => index + 1),
  )
  assert.deepEqual(messages(lines).slice(99), [
    'waits',
    'does not wait',
    'of a request',
    'waits',
    'has an error',
    'waits',
  ])
})

test('a line that waits looks like any other', async () => {
  const [first, second] = await printed(
    `logger.info({ route: '/v1', error: null, detail: undefined }, 'waits')
    logger.warn({ route: '/v1', error: null, detail: undefined }, 'waits')`,
    '{ shared: true }',
  )
  assert.deepEqual({ ...first, level: 'warn', time: '' }, { ...second, time: '' })
  assert.deepEqual(Object.keys(first ?? {}), ['level', 'time', 'pid', 'route', 'error', 'msg'])
})

test('the reason why the database is unavailable appears once', async () => {
  const failures = new URL('../../server/database/failures.ts', import.meta.url)
  const [line] = await printed(
    `const { translateError } = await import('${failures}')
    const refused = Object.assign(new Error('connect ECONNREFUSED 127.0.0.1:5432'), { code: 'ECONNREFUSED' })
    logger.warn({ err: translateError(refused) }, 'database cannot be reached')`,
  )
  assert.equal(JSON.stringify(line?.err).match(/ECONNREFUSED/g)?.length, 2, 'in the message and the stack')
})

test('waiting lines are written before a process is killed by its own fatal error', async () => {
  const lines = await printed(`
    for (let number = 1; number <= 100; number++) {
      logger.info({ number }, 'waits')
      logger.warn('does not wait')
      logger.fatal('ends the process')
    }
    process.kill(process.pid, 'SIGKILL')`).catch(({ stdout }: { stdout: string }) => parsed(stdout))
  assert.deepEqual(
    messages(lines),
    Array.from({ length: 100 }, () => ['waits', 'does not wait', 'ends the process']).flat(),
  )
})

test('waiting lines are written before a process exits', async () => {
  const lines = await printed(`
    for (let number = 1; number <= 100; number++) logger.info({ number }, 'waits')
    process.exit()`)
  assert.equal(lines.length, 100)
})

test('what JSON cannot represent ends no process', async () => {
  const lines = await printed(`
    const cycle = {}
    cycle.self = cycle
    logger.info({ number: 1n }, 'a big number')
    logger.info({ cycle }, 'a cycle')
    logger.info({ call() {}, symbol: Symbol('s') }, 'neither a value')
    logger.info({ number: 2 }, 'later')`)
  assert.deepEqual(messages(lines), ['a big number', 'a cycle', 'neither a value', 'later'])
})

test('hides secrets at the top of a line and inside its values', async () => {
  const lines = await printed(`
    logger.info({ number: 1, password: 'p-a-s-s' }, 'one')
    logger.info({ number: 2, inner: { dataBase64: 'p-a-s-s' } }, 'two')
    logger.info({ number: 3, key: 'p-a-s-s' }, 'three')`)
  assert.deepEqual(messages(lines), ['one', 'two', 'three'])
  assert.doesNotMatch(JSON.stringify(lines), /p-a-s-s/)
})

test('a full disk loses lines and nothing else', { skip: !existsSync('/dev/full') }, async () => {
  const child = spawn(
    process.execPath,
    logging(`
      logger.warn('does not wait')
      logger.info({ number: 1 }, 'waits')
      logger.fatal('is flushed')
      process.stdout.write('not a line of the log', () => {
        logger.flush(() => {
          console.error('still there')
          process.exit(0)
        })
      })`),
    { stdio: ['ignore', openSync('/dev/full', 'w'), 'pipe'] },
  )
  assert.ok(child.stderr)
  assert.deepEqual([await text(child.stderr), child.exitCode ?? (await once(child, 'exit'))[0]], ['still there\n', 0])
})

test('a reader that stops reading holds nothing up, and learns what it has lost', async () => {
  const lineBytes = 10_000
  const child = spawn(
    process.execPath,
    logging(`
      for (let number = 1; number <= 4_000; number++) logger.info({ number, text: 'x'.repeat(${lineBytes}) }, 'line')
      console.error('logged')
      process.on('message', () => process.exit(0))`),
    { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] },
  )
  assert.ok(child.stdout && child.stderr)
  await once(child.stderr, 'data')
  let printed = ''
  for await (const chunk of child.stdout.setEncoding('utf8')) {
    printed += chunk
    if (child.connected && printed.slice(-200).includes('log lines were lost')) child.send('exit')
  }
  const lines = parsed(printed)
  const last = lines.at(-1)
  assert.equal(last?.msg, 'log lines were lost')
  assert.ok(Number(last.bytes) > (4_000 - lines.length) * lineBytes)
  assert.ok(lines.length > 1_000 && lines.length < 2_000)
})

test('a process exits though nobody reads its log', async () => {
  const child = spawn(
    process.execPath,
    logging(`
      for (let number = 1; number <= 1_000; number++) logger.info({ number, text: 'x'.repeat(1_000) }, 'line')
      process.exit(0)`),
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  assert.deepEqual(await once(child, 'exit'), [0, null])
})
