import type { CommandResult } from '../cli/handover.ts'
import type { Database } from '../server/database/database.ts'
import type { Environment } from '../support/process.ts'
import type { Period } from './configuration.ts'
import type { Partner } from './partners.ts'
import type { Supervised } from './supervised.ts'
import type { Troubles } from './troubles.ts'

/** One installation of the service, with the partners it serves and what can happen to it besides being killed. */
export type Site = {
  name: 'PostgreSQL' | 'embedded'
  partners: Partner[]
  servers: Supervised[]
  /** Where the interview product may report. */
  urls: string[]
  /** The service's own command line. It fails while the server that runs it, or the database, is away. */
  command(args: string[]): Promise<CommandResult>
  troubles: Troubles
  /** When one of its troubles lasted. */
  disturbances: Period[]
  /** Looks into the database itself; on the embedded one the server is stopped for as long as that takes. */
  look<Result>(work: (database: Database) => Promise<Result>): Promise<Result>
  close(): Promise<void>
}

export type SiteOptions = {
  folder: string
  /** What every server is started with. */
  environment: Environment
  nameServer: string
  fault: (what: string) => void
}
