import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, constants, openSync, readSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { promisify } from 'node:util'
import { createLogWriter } from '../../server/operations/log-writer.ts'

const run = promisify(execFile)
const log = join(import.meta.dirname, '../../server/operations/log.ts')

/** A pipe with a name, which can lose its reader and get another. */
async function makePipe(t: TestContext): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'log-writer-'))
  t.after(() => rm(directory, { recursive: true }))
  const pipe = join(directory, 'pipe')
  await run('mkfifo', [pipe])
  return pipe
}

/** Without a reader a writer drops what it has, so none is left waiting after a test that failed. */
function openReader(t: TestContext, pipe: string): { read(): string; close(): void } {
  const fd = openSync(pipe, constants.O_RDONLY | constants.O_NONBLOCK)
  const buffer = Buffer.alloc(1_048_576)
  let isOpen = true
  const close = () => {
    if (isOpen) closeSync(fd)
    isOpen = false
  }
  t.after(close)
  return { read: () => buffer.toString('utf8', 0, readSync(fd, buffer)), close }
}

function openWriter(pipe: string) {
  const losses: number[] = []
  const writer = createLogWriter(openSync(pipe, constants.O_WRONLY), {
    // More than a pipe takes, so that the first write is cut off in the middle of a line.
    maxChunkBytes: 100_000,
    maxQueuedBytes: 1_048_576,
    onLoss: (bytes) => losses.push(bytes),
  })
  const flushed = () => new Promise<void>((resolve) => writer.flush(resolve))
  return { writer, losses, flushed }
}

const numbered = (number: number) => `${`${number} `.padEnd(999, 'x')}\n`
const numbers = (text: string) => text.split('\n').map((line) => Number.parseInt(line, 10))

// Node connects child processes with sockets, so these pipes are made by hand.
describe('a pipe', { skip: process.platform === 'win32' }, () => {
  test('lines keep their order when flushed after only a part of them found room', async (t) => {
    const pipe = await makePipe(t)
    openReader(t, pipe)
    const { writer, losses, flushed } = openWriter(pipe)
    for (let number = 0; number < 200; number++) writer.write(numbered(number))
    await setImmediate()
    const reader = spawn('cat', [pipe])
    let printed = ''
    reader.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    writer.flushSync()
    for (let number = 200; number < 400; number++) writer.write(numbered(number))
    await flushed()
    while (!printed.includes('\n399 ')) await once(reader.stdout, 'data')
    reader.kill()
    assert.deepEqual(
      numbers(printed).slice(0, 400),
      Array.from({ length: 400 }, (_, index) => index),
    )
    assert.deepEqual(losses, [])
  })

  test('a reader that ends in the middle of a line breaks that line only, and the next one learns what is lost', async (t) => {
    const pipe = await makePipe(t)
    const first = openReader(t, pipe)
    const { writer, losses, flushed } = openWriter(pipe)
    for (let number = 0; number < 100; number++) writer.write(numbered(number))
    await setImmediate()
    const received = first.read()
    assert.ok(!received.endsWith('\n'))
    first.close()
    await flushed()
    const second = openReader(t, pipe)
    writer.write('later\n')
    await flushed()
    assert.equal(second.read(), '\nlater\n')
    assert.deepEqual(losses, [100_000 - received.length])
  })

  test('what a flush has no time for is written later', async (t) => {
    const pipe = await makePipe(t)
    const reader = openReader(t, pipe)
    const { writer, losses, flushed } = openWriter(pipe)
    for (let number = 0; number < 100; number++) writer.write(numbered(number))
    writer.flushSync()
    let printed = reader.read()
    await flushed()
    printed += reader.read()
    assert.equal(printed.length, 100_000)
    assert.deepEqual(losses, [])
  })

  test('a process that shares it can’t make the others wait', async (t) => {
    const pipe = await makePipe(t)
    openReader(t, pipe)
    const child = spawn(
      process.execPath,
      [
        '--input-type=module-typescript',
        '-e',
        `import { spawnSync } from 'node:child_process'
        import { createLogger } from ${JSON.stringify(log)}
        const logger = createLogger('info', { shared: true })
        spawnSync(process.execPath, ['-e', 'process.stdout.isTTY'], { stdio: 'inherit' })
        for (let number = 1; number <= 400; number++) logger.info({ number, text: 'x'.repeat(1_000) }, 'line')
        setImmediate(() => process.exit(0))`,
      ],
      { stdio: ['ignore', openSync(pipe, constants.O_WRONLY), 'inherit'], timeout: 60_000, killSignal: 'SIGKILL' },
    )
    assert.deepEqual(await once(child, 'exit'), [0, null])
  })

  test('lines of several processes are never mixed up', async () => {
    const logging = `'${process.execPath}' --input-type=module-typescript -e '
      import { createLogger } from ${JSON.stringify(log)}
      const logger = createLogger("info", { shared: true })
      for (let number = 0; number < 2_000; number++) logger.warn({ number, text: "x".repeat(number) }, "line")'`
    const script = `(${logging} & ${logging} & ${logging} & wait) | dd bs=512 status=none`
    const { stdout } = await run('sh', ['-c', script], { maxBuffer: 100 * 1_048_576 })
    const lines = stdout.trim().split('\n')
    assert.equal(lines.length, 6_000)
    for (const line of lines) JSON.parse(line)
  })
})
