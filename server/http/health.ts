import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { missingMigrations } from '../database/migrate.ts'
import { Refusal } from './errors.ts'

/** `stopping` turns readiness off, so no new traffic arrives while in-flight requests finish. */
export async function health(
  app: FastifyInstance,
  { database, stopping }: { database: Database; stopping?: AbortSignal | undefined },
) {
  app.get('/healthz', async () => ({ status: 'ok' }))

  app.get('/readyz', async () => {
    const headers = { 'retry-after': '5' }
    if (stopping?.aborted) throw new Refusal('stopping', { headers })
    const missing = await missingMigrations(database)
    if (missing.length > 0) throw new Refusal('unavailable', { headers })
    return { status: 'ready' }
  })
}
