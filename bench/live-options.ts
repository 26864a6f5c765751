import { resolve } from 'node:path'

/**
 * Options of `npm run bench -- live`:
 *
 *     --against <path>               compare with the version in another checkout that has its node_modules
 *     --bare                         compare with a bare loop that does the same work, PostgreSQL only
 *     --database postgres|embedded   only on this database
 *     --images 2000,100000           sizes of the images, in bytes
 *     --organizations 16             how many organizations the interviews belong to
 *     --processes 2                  processes of the service, PostgreSQL only
 *     --rounds 3                     how many rounds each version runs
 */
export const liveArguments = {
  against: { type: 'string' },
  bare: { type: 'boolean', default: false },
  database: { type: 'string' },
  images: { type: 'string' },
  organizations: { type: 'string' },
  processes: { type: 'string' },
  rounds: { type: 'string' },
} as const

const liveDatabases = ['postgres', 'embedded'] as const
export type LiveDatabase = (typeof liveDatabases)[number]

export type LiveOptions = {
  against: string | null
  bare: boolean
  databases: LiveDatabase[]
  images: number[]
  organizations: number
  processes: number
  rounds: number
  /** Whether any option differs from its default. */
  partial: boolean
}

type Values = { [Name in Exclude<keyof typeof liveArguments, 'bare'>]?: string | undefined } & {
  bare: boolean
  quick: boolean
}

export function readLiveOptions(values: Values): LiveOptions {
  const { against, bare, database, images, organizations, processes, quick } = values
  const processCount = wholeNumber('processes', processes, 1)
  return {
    against: against === undefined ? null : resolve(against),
    bare,
    databases: readDatabases(bare ? 'postgres' : database, processCount),
    images: (images ?? '2000,100000').split(',').map((text) => wholeNumber('images', text, 0)),
    organizations: wholeNumber('organizations', organizations, 16),
    processes: processCount,
    rounds: wholeNumber('rounds', values.rounds, quick ? 1 : 3),
    partial: bare || [database, images, organizations, processes].some((value) => value !== undefined),
  }
}

function readDatabases(text: string | undefined, processes: number): LiveDatabase[] {
  // Only one process can open the embedded database.
  const possible = liveDatabases.filter((database) => processes === 1 || database === 'postgres')
  const wanted = possible.filter((database) => (text ?? database) === database)
  if (wanted.length === 0) throw new Error(`--database must be ${possible.join(' or ')}`)
  return wanted
}

function wholeNumber(name: string, text: string | undefined, fallback: number): number {
  if (text === undefined) return fallback
  if (!/^[1-9]\d{0,6}$/.test(text.trim())) throw new Error(`--${name} must be a whole number of at least 1`)
  return Number(text)
}
