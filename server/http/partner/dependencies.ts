import type { Database } from '../../database/database.ts'

export type PartnerDependencies = { database: Database; clock: () => Date; appUrl: string; interviewUrl: string }
