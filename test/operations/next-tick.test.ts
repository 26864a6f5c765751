import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import test from 'node:test'
import { promisify } from 'node:util'

const run = promisify(execFile)

test('a garbage collection leaves process.nextTick fast', async () => {
  const states = await definitionsAfterCollection('keepNextTickFast()')
  assert.deepEqual(new Set(states), new Set(['MONOMORPHIC']))
})

test('without keepNextTickFast it would not', async () => {
  // If this fails, Node no longer needs it.
  const states = await definitionsAfterCollection('')
  assert.ok(states.includes('MEGAMORPHIC'), String(states))
})

/** How V8 sees each property that nextTick defines with a computed name: as always the same, or as always a new one. */
async function definitionsAfterCollection(first: string): Promise<string[]> {
  const { stdout } = await run(process.execPath, [
    ...['--allow-natives-syntax', '--expose-gc', '--input-type=module', '--eval'],
    `import { keepNextTickFast } from '${new URL('../../server/operations/next-tick.ts', import.meta.url)}'
    ${first};
    // Often enough that V8 remembers the class.
    for (let count = 0; count < 40; count++) await new Promise((resolve) => process.nextTick(resolve))
    await new Promise((resolve) => setImmediate(resolve))
    gc();
    for (let count = 0; count < 10; count++) await new Promise((resolve) => process.nextTick(resolve));
    %DebugPrint(process.nextTick)`,
  ])
  return [...stdout.matchAll(/DefineKeyedOwnPropertyInLiteral (\w+)/g)].map(([, state = '']) => state)
}
