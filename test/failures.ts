import type { TestEvent } from 'node:test/reporters'

/** A reporter that only says what failed: a line each, to be read again at the end of a run in several parts. */
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue
    const { name, file, line, details } = event.data
    const [reason] = String(details.error.cause ?? details.error).split('\n')
    yield `✖ ${file}:${line} ${name}: ${reason}${endOf(details.error)}\n`
  }
}

/** How the process of a whole file ended, which may be all there is to know. */
function endOf(error: Error & { exitCode?: number | null; signal?: string | null }): string {
  if (error.signal) return ` (ended by ${error.signal})`
  return error.exitCode === undefined || error.exitCode === null ? '' : ` (exit code ${error.exitCode})`
}
