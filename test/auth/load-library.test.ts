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
    const { [workerData.name]: load } = await import(workerData.file)
    const loaded = await load()
    look()
    clearInterval(looking)
    parentPort.postMessage({ longest, all: used(began), isSame: loaded === (await load()) })
  }
  measure()`

for (const name of ['loadLibrary', 'loadProtocol']) {
  test(`${name} lets other requests through, and loads once · ROB-1`, async () => {
    const file = new URL('../../server/auth/load-library.ts', import.meta.url).href
    const worker = new Worker(script, { eval: true, workerData: { file, name } })
    const { longest, all, isSame } = await new Promise<Measured>((resolve, reject) => {
      worker.once('message', resolve)
      worker.once('error', reject)
    })
    assert.ok(longest < all / 2, `blocked for ${longest} of ${all} µs at once`)
    assert.equal(isSame, true)
  })
}

type Measured = { longest: number; all: number; isSame: boolean }
