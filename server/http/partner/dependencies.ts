import type { Database } from '../../database/database.ts'
import type { Authenticator } from '../../organizations/authenticator.ts'

export type PartnerDependencies = {
  database: Database
  authenticate: Authenticator
  clock: () => Date
  appUrl: string
  apiUrl: string
  interviewUrl: string
}
