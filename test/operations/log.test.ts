import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)
const log = join(import.meta.dirname, '../../server/operations/log.ts')

type Line = Record<string, unknown>

/** What a process that ends after `body` has printed. */
async function printed(body: string, options = ''): Promise<Line[]> {
  const script = `
    import { createLogger } from ${JSON.stringify(log)}
    const logger = createLogger('info'${options && `, ${options}`})
    ${body}`
  const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', script])
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

test('waiting lines are written before a process is killed by its own fatal error', async () => {
  const lines = await printed(`
    logger.info({ number: 1 }, 'waits')
    logger.fatal('ends the process')
    process.kill(process.pid, 'SIGKILL')`).catch(({ stdout }: { stdout: string }) =>
    stdout.split('\n').flatMap((line): Line[] => (line === '' ? [] : [JSON.parse(line)])),
  )
  assert.deepEqual(messages(lines), ['waits', 'ends the process'])
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
