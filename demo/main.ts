/** The whole journey on this machine, in a temporary folder: `npm run demo`. Exits with 0 on success. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { journey } from './journey.ts'

const timeout = 120_000

const started = performance.now()
const leftovers = new AsyncDisposableStack()
let ending = false

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(1, 'Stopped.'))
// The reader is gone, such as `head`.
process.stdout.on('error', () => void end(1))
setTimeout(() => void end(1, 'The demo timed out after two minutes.'), timeout).unref()

try {
  const folder = mkdtempSync(join(tmpdir(), 'interview-demo-'))
  leftovers.defer(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 50 }))
  await journey(folder, leftovers)
  const seconds = ((performance.now() - started) / 1000).toFixed(1)
  await end(0, `That was the whole journey, in ${seconds} seconds. Next: docs/quickstart.md, with your own receiver.`)
} catch (error) {
  await end(1, `The demo failed: ${error instanceof Error ? error.message : error}`)
}

/** Stops everything and removes the folder. Only the first call counts: later failures are its consequences. */
async function end(status: number, message?: string): Promise<void> {
  if (ending) return
  ending = true
  await leftovers.disposeAsync()
  const last = message === undefined ? '' : `\n${message}\nEverything is stopped and the folder is deleted.\n`
  process.stdout.write(last, () => process.exit(status))
}
