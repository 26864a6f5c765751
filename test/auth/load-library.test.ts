import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Worker } from 'node:worker_threads'

// A thread has loaded nothing yet. It compares the longest time its event loop was blocked to all the CPU time of the work.
const script = `
  const { parentPort, workerData } = require('node:worker_threads')
  const used = (since) => { const { user, system } = process.threadCpuUsage(since); return user + system }
  async function measure() {
    const began = process.threadCpuUsage()
    let last = began
    let longest = 0
    const look = () => { longest = Math.max(longest, used(last)); last = process.threadCpuUsage() }
    const looking = setInterval(look, 1)
    const { loadLibrary } = await import(workerData)
    const { createLibrary } = await loadLibrary()
    look()
    clearInterval(looking)
    parentPort.postMessage({ longest, all: used(began), loaded: typeof createLibrary })
  }
  measure()`

test('loading the sign-in library lets other requests through · ROB-1', async () => {
  const file = new URL('../../server/auth/load-library.ts', import.meta.url).href
  const worker = new Worker(script, { eval: true, workerData: file })
  const { longest, all, loaded } = await new Promise<{ longest: number; all: number; loaded: string }>(
    (resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    },
  )
  assert.equal(loaded, 'function')
  assert.ok(longest < all / 2, `blocked for ${longest} of ${all} µs at once`)
})
