import { parseArgs } from 'node:util'
import { type LiveOptions, liveArguments, readLiveOptions } from './live-options.ts'
import { markdown, type Table } from './table.ts'

export type Pace = {
  /** A look rather than a measurement: fewer rounds, smaller numbers. */
  quick: boolean
  /** What takes an hour, too. */
  full: boolean
  /** A part of the deliveries: one engine, one size of image. */
  engine: string | undefined
  image: string | undefined
  live: LiveOptions
  /** Whether only a part is measured, or the usual with other settings: not what is kept. */
  partial: boolean
  /** Told how far it is. */
  say: (progress: string) => void
}

/** What the command line asks for, and the benchmarks it names. */
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

/** What a benchmark does when it is started by itself. */
export async function printAlone(measure: (pace: Pace) => Promise<Table[]>): Promise<void> {
  for (const table of await measure(readPace().pace)) console.log(markdown(table))
}
