import { parseArgs } from 'node:util'
import { type LiveOptions, liveArguments, readLiveOptions } from './live-options.ts'
import { markdown, type Table } from './table.ts'

export type Pace = {
  /** A quick run: fewer rounds, smaller numbers. */
  quick: boolean
  /** Includes what takes an hour. */
  full: boolean
  /** Part of the deliveries benchmark: one engine, one image size. */
  engine: string | undefined
  image: string | undefined
  live: LiveOptions
  /** Whether only a part is measured, or with other settings. Such results are not saved. */
  partial: boolean
  /** Reports progress. */
  say: (progress: string) => void
}

/** Parses the command line: the options and the named benchmarks. */
export function readPace(): { pace: Pace; names: string[] } {
  const { values, positionals } = parseArgs({
    options: {
      quick: { type: 'boolean', default: false },
      full: { type: 'boolean', default: false },
      engine: { type: 'string' },
      image: { type: 'string' },
      ...liveArguments,
    },
    allowPositionals: true,
  })
  const { quick, full, engine, image } = values
  const live = readLiveOptions(values)
  const partial = quick || engine !== undefined || image !== undefined || live.partial
  const say = (text: string) => console.error(text)
  return { pace: { quick, full, engine, image, live, partial, say }, names: positionals }
}

/** Runs a benchmark that was started on its own. */
export async function printAlone(measure: (pace: Pace) => Promise<Table[]>): Promise<void> {
  for (const table of await measure(readPace().pace)) console.log(markdown(table))
}
