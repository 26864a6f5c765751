import type { FastifyInstance } from 'fastify'
import type { Database } from '../database/database.ts'
import { missingMigrations } from '../database/migrate.ts'
import { Refusal } from './errors.ts'
import { refuseOtherMethods } from './methods.ts'

export async function health(app: FastifyInstance, { database }: { database: Database }) {
  refuseOtherMethods(app, () => {
    app.get('/healthz', { schema: { hide: true } }, async () => ({ status: 'ok' }))

    app.get('/readyz', { schema: { hide: true } }, async () => {
      const missing = await missingMigrations(database)
      if (missing.length > 0) throw new Refusal('unavailable', { headers: { 'retry-after': '5' } })
      return { status: 'ready' }
    })
  })
}
