import type { TestEvent } from 'node:test/reporters'

/** A reporter that only says what failed: a line each, to be read again at the end of a run in several parts. */
export default async function* failures(events: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  for await (const event of events) {
    if (event.type !== 'test:fail') continue
    const { name, file, line, details } = event.data
    const [reason] = String(details.error.cause ?? details.error).split('\n')
    yield `✖ ${file}:${line} ${name}: ${reason}\n`
  }
}
