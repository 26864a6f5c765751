import type { SignIn } from '../../auth/sign-in.ts'
import type { Database } from '../../database/database.ts'
import type { DestinationGuard } from '../../outbound/destination.ts'

export type SettingsDependencies = {
  database: Database
  clock: () => Date
  appUrl: string
  signIn: SignIn
  secretsKey: Buffer
  guard: DestinationGuard
  /** A certificate authority that receivers may use besides those the world trusts. */
  destinationCa: string | null
}
