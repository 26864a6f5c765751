import type { SignIn } from '../../auth/sign-in.ts'
import type { Database } from '../../database/database.ts'
import type { Unseal } from '../../endpoints/secrets.ts'
import type { Outbox } from '../../notifications/outbox.ts'
import type { DestinationGuard } from '../../outbound/destination.ts'

export type SettingsDependencies = {
  database: Database
  clock: () => Date
  appUrl: string
  apiUrl: string
  listen: boolean
  signIn: SignIn
  secretsKey: Buffer
  unseal: Unseal
  guard: DestinationGuard
  /** A certificate authority that receivers may use besides those the world trusts. */
  destinationCa: string | null
  /** Emails and chat messages to members. */
  outbox: Outbox
}
