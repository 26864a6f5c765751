import type { TestEvent } from 'node:test/reporters'

export type Failure = {
  text: string
  /** The file, if its process crashed. */
  crashed: string | null
}

const crashes = new Set(['SIGSEGV', 'SIGTRAP', 'SIGILL', 'SIGABRT', 'SIGBUS'])

/** A reporter that only says what failed: a JSON object a line, to be read again at the end of a run in several parts. */
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue
    const { name, file, line, details } = event.data
    const [reason] = String(details.error.cause ?? details.error).split('\n')
    const { signal }: ProcessError = details.error
    const failure: Failure = {
      text: `✖ ${file}:${line} ${name}: ${reason}${endOf(details.error)}`,
      crashed: signal && crashes.has(signal) ? name : null,
    }
    yield `${JSON.stringify(failure)}\n`
  }
}

type ProcessError = Error & { exitCode?: number | null; signal?: string | null }

/** How the process of a whole file ended, which may be all there is to know. */
function endOf(error: ProcessError): string {
  if (error.signal) return ` (ended by ${error.signal})`
  return error.exitCode === undefined || error.exitCode === null ? '' : ` (exit code ${error.exitCode})`
}
