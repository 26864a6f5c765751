import { parseArgs } from 'node:util'
import { markdown, type Table } from './table.ts'

export type Pace = {
  /** A look rather than a measurement: fewer rounds, smaller numbers. */
  quick: boolean
  /** What takes an hour, too. */
  full: boolean
  /** A part of the deliveries: one engine, one size of image. */
  engine: string | undefined
  image: string | undefined
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
    },
    allowPositionals: true,
  })
  const { quick, full, engine, image } = values
  return { pace: { quick, full, engine, image, say: (text) => console.error(text) }, names: positionals }
}

/** What a benchmark does when it is started by itself. */
export async function printAlone(measure: (pace: Pace) => Promise<Table[]>): Promise<void> {
  for (const table of await measure(readPace().pace)) console.log(markdown(table))
}
