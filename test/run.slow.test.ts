import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { Client } from 'pg'

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'run-test-'))
})
after(() => rm(folder, { recursive: true }))

test('a run starts a server for its tests, prints the summary and stops the server', async () => {
  const { lines, status } = await run('console.log(process.env.TEST_POSTGRES_URL)')

  assert.ok(lines.includes('ℹ tests 1') && lines.includes('ℹ pass 1'), lines.join('\n'))
  assert.equal(status, 0)
  await assertStopped(lines)
})

test('a failing test makes the run fail, and is named in its last line', async () => {
  const { lines, status } = await run('throw new Error("wrong")')

  assert.ok(lines.includes('ℹ fail 1'), lines.join('\n'))
  assert.match(lines.at(-1) ?? '', /^✖ .*one\.test\.mjs:2 one: Error: wrong$/)
  assert.equal(status, 1)
})

test('a file whose process crashes runs once more', async () => {
  const marker = join(folder, 'crashed')
  const crashOnce = `
    const { existsSync, writeFileSync } = await import('node:fs')
    if (existsSync('${marker}')) return
    writeFileSync('${marker}', '')
    process.kill(process.pid, 'SIGSEGV')
    await new Promise(() => setInterval(() => {}, 1000))`
  const { lines, status } = await run(crashOnce)

  assert.ok(
    lines.some((line) => /one\.test\.mjs.*ended by SIGSEGV\); running it once more$/.test(line)),
    lines.join('\n'),
  )
  assert.ok(lines.includes('ℹ pass 1'), lines.join('\n'))
  assert.equal(status, 0)
})

test('a file whose process crashes twice makes the run fail', async () => {
  const { lines, status } = await run(
    `process.kill(process.pid, 'SIGSEGV'); await new Promise(() => setInterval(() => {}, 1000))`,
  )

  assert.match(lines.at(-1) ?? '', /^✖ .*one\.test\.mjs.*ended by SIGSEGV\)$/)
  assert.equal(status, 1)
})

test('arguments that match no test file are named, and nothing runs', async () => {
  const [empty, missing] = [join(folder, 'empty'), join(folder, 'missing.test.ts')]
  await mkdir(empty)
  const runner = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), empty, missing, import.meta.filename])
  const [stdout, stderr] = await Promise.all([text(runner.stdout), text(runner.stderr)])

  assert.equal(stderr, `No test file: ${empty}\nNo test file: ${missing}\n`)
  assert.equal(stdout, '')
  assert.equal(runner.exitCode ?? (await once(runner, 'exit'))[0], 2)
})

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`a run that gets ${signal} fails and stops the server`, async () => {
    const endless = 'console.log(process.env.TEST_POSTGRES_URL); await new Promise(() => setInterval(() => {}, 1000))'
    const { lines, status } = await run(endless, signal)

    assert.equal(status, 1)
    await assertStopped(lines)
  })
}

/** Runs one test with this body. The signal, if any, is sent once the test has printed the server's address. */
async function run(body: string, signal?: 'SIGINT' | 'SIGTERM') {
  const file = join(folder, 'one.test.mjs')
  await writeFile(file, `import test from 'node:test'\ntest('one', async () => { ${body} })\n`)

  const runner = spawn(process.execPath, [join(import.meta.dirname, 'run.ts'), file], {
    stdio: ['ignore', 'pipe', 'inherit'],
    // Node refuses to run tests from within a test.
    env: { ...process.env, NODE_TEST_CONTEXT: undefined },
  })
  const exit = once(runner, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: runner.stdout })) {
    lines.push(line)
    if (signal && isAddress(line)) runner.kill(signal)
  }
  await exit
  return { lines, status: runner.exitCode }
}

async function assertStopped(lines: string[]) {
  const address = lines.find(isAddress)
  assert.ok(address, lines.join('\n'))
  await assert.rejects(new Client(address).connect(), /ECONNREFUSED/)
}

function isAddress(line: string): boolean {
  return line.startsWith('postgres://')
}
