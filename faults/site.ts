import type { CommandResult } from '../cli/handover.ts'
import type { Database } from '../server/database/database.ts'
import type { Environment } from '../support/process.ts'
import type { Period } from './configuration.ts'
import type { Faults } from './injection.ts'
import type { Partner } from './partners.ts'
import type { Supervised } from './supervised.ts'

/** One installation of the service, with its partners and the faults it can have besides kills. */
export type Site = {
  name: 'PostgreSQL' | 'SQS' | 'embedded'
  partners: Partner[]
  servers: Supervised[]
  /** Where the interview product reports. */
  urls: string[]
  /** The service's own command line. Fails while its server or the database is down. */
  command(args: string[]): Promise<CommandResult>
  faults: Faults
  /** When its faults were active. */
  disturbances: Period[]
  /** Aborted with the reason if there is no point in going on. */
  over: AbortController
  /** Opens the database itself. The embedded one stops its server in the meantime. */
  inspect<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type SiteOptions = {
  folder: string
  /** The environment of every server. */
  environment: Environment
  nameServer: string
  reportProblem: (what: string) => void
  /** Aborted with the reason if there is no point in going on. */
  over: AbortController
}
