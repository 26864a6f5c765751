import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { eventually, temporaryFolder } from '../../support/process.ts'

const root = join(import.meta.dirname, '..', '..')

describe('npm run demo', () => {
  test('shows the whole journey up to the verified event and cleans up', async (t) => {
    await using demo = await startDemo()
    assert.equal(await demo.ended, 0, demo.printed())
    const steps = [
      /curl -s http:\S+\/v1\/templates[^✓]+201 \{[^✓]+200 \{/,
      /First attempt[^✓]+500 \{"error"/,
      /x-service-signature": "t=\d+,v1=[0-9a-f]{64}"/,
      /✓ Verified with the signing secret/,
      /200 \{"received":true,"repeated":true\}\n +✓ Recognized/,
      /1 +\S+ +HTTP_5XX[^✓]+2 +\S+ +NETWORK[^✓]+3 +\S+ +delivered \(200\)/,
      /\/v1\/interview-results\?invitationId=inv_[^✓]+"overallScore": 87\.4/,
      /✓ The SDK’s reconcile\(\): nothing was missed/,
    ]
    let at = 0
    for (const step of steps) {
      const found = step.exec(demo.printed().slice(at))
      assert.ok(found, `${step} was not printed:\n${demo.printed().slice(at)}`)
      at += found.index
    }
    assert.equal(stripVTControlCharacters(demo.printed()), demo.printed(), 'colors are only for terminals')
    assert.deepEqual(demo.leftBehind(), [])
    t.diagnostic(/in [\d.]+ seconds/.exec(demo.printed())?.[0] ?? '')
  })

  test('cleans up when it is interrupted', async () => {
    await using demo = await startDemo()
    await eventually(async () => demo.service() !== undefined || demo.printed().includes('organization create'))
    const service = demo.service()
    demo.child.kill('SIGINT')
    assert.equal(await demo.ended, 1)
    assert.match(demo.printed(), /\nStopped\.\n/)
    assert.deepEqual([demo.leftBehind(), isRunning(service)], [[], false])
  })

  test('exits with 1 and cleans up when something fails', {
    skip: process.platform !== 'linux',
  }, async () => {
    await using demo = await startDemo()
    await eventually(async () => demo.service() !== undefined)
    process.kill(Number(demo.service()), 'SIGKILL')
    assert.equal(await demo.ended, 1)
    assert.match(demo.printed(), /The demo failed: /)
    assert.deepEqual(demo.leftBehind(), [])
  })
})

/** Starts the demo with its own temporary folder, which must be empty afterwards. */
async function startDemo() {
  const folder = await temporaryFolder()
  const child = spawn(process.execPath, ['demo/main.ts'], {
    cwd: root,
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      TMPDIR: folder.path,
      TEMP: folder.path,
      NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled'),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (chunk) => (text += chunk))
  return {
    child,
    printed: () => text,
    leftBehind: () => readdirSync(folder.path),
    service: () => childOf(child),
    ended: new Promise<number | null>((resolve) => child.once('close', resolve)),
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      await folder[Symbol.asyncDispose]()
    },
  }
}

/** A process's child, on systems that show it. */
function childOf({ pid }: ChildProcess): number | undefined {
  if (process.platform !== 'linux') return undefined
  try {
    const [first] = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ')
    return first ? Number(first) : undefined
  } catch {
    return undefined
  }
}

function isRunning(pid: number | undefined): boolean {
  try {
    return pid !== undefined && process.kill(pid, 0)
  } catch {
    return false
  }
}
