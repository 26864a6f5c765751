import type { FastifyInstance } from 'fastify'
import { deliveryHealth as healthOf } from '../../deliveries/delivery-health.ts'
import { readHistory } from '../../deliveries/delivery-history.ts'
import { findDeliveryRow, listDeliveryRows } from '../../deliveries/delivery-table.ts'
import { explainAttempt, explainDelivery } from '../../deliveries/explanation.ts'
import { viewPayload } from '../../deliveries/payload-view.ts'
import { countFailed } from '../../deliveries/retry-runs.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { retryFailed } from '../../workflows/administer.ts'
import { Refusal } from '../errors.ts'
import { numericLimit } from '../partner/input.ts'
import { changeBy, memberOf } from './admission.ts'
import {
  deliveriesQuery,
  deliveryDetail,
  deliveryHealth,
  deliveryPage,
  deliveryPayload,
  deliveryRow,
  type FailedFilter,
  failedCount,
  failedFilter,
} from './delivery-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { organizationPath } from './schemas.ts'

const deliveryPath = Type.Object({ ...organizationPath.properties, deliveryId: Type.String() })

export function deliveryRoutes(app: FastifyInstance, { database, clock, appUrl }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const config = { access: 'viewer' } as const

  routes.get(
    '/deliveries',
    {
      config,
      preValidation: numericLimit,
      schema: { params: organizationPath, querystring: deliveriesQuery, response: { 200: deliveryPage } },
    },
    async (request) => {
      const { limit = 50, status, cursor, ...rest } = request.query
      const filter = { limit, ...(status && { status }), ...(cursor !== undefined && { cursor }), ...filterOf(rest) }
      const page = await listDeliveryRows(database, memberOf(request).organizationId, filter)
      if (page === 'invalid_cursor') throw new Refusal(page)
      return page
    },
  )

  routes.get(
    '/deliveries/health',
    { config, schema: { params: organizationPath, response: { 200: deliveryHealth } } },
    (request) => healthOf(database, memberOf(request).organizationId, clock()),
  )

  routes.get(
    '/deliveries/failed-count',
    { config, schema: { params: organizationPath, querystring: failedFilter, response: { 200: failedCount } } },
    async (request) => ({
      count: await countFailed(database, memberOf(request).organizationId, filterOf(request.query)),
    }),
  )

  routes.get(
    '/deliveries/:deliveryId',
    { config, schema: { params: deliveryPath, response: { 200: deliveryDetail } } },
    async (request) => {
      const { deliveryId } = request.params
      const row = await findDeliveryRow(database, memberOf(request).organizationId, deliveryId)
      if (!row) throw new Refusal('delivery_not_found')
      const history = await readHistory(database, deliveryId)
      return {
        ...row,
        failure: explainDelivery(row, history),
        history: history.map((attempt) => ({ ...attempt, explanation: explainAttempt(attempt) })),
      }
    },
  )

  routes.get(
    '/deliveries/:deliveryId/payload',
    { config, schema: { params: deliveryPath, response: { 200: deliveryPayload } } },
    async (request) => {
      const { organizationId } = memberOf(request)
      const payload = await viewPayload({ database, appUrl }, organizationId, request.params.deliveryId)
      if (!payload) throw new Refusal('delivery_not_found')
      return payload
    },
  )

  routes.post(
    '/deliveries/:deliveryId/retries',
    { schema: { params: deliveryPath, response: { 200: deliveryRow } } },
    async (request) => {
      const { deliveryId: id } = request.params
      const retried = await retryFailed(database, { ...changeBy(request), id }, clock())
      if (retried === 'not_failed') throw new Refusal('not_failed')
      const row = await findDeliveryRow(database, memberOf(request).organizationId, id)
      if (retried === 'not_found' || !row) throw new Refusal('delivery_not_found')
      return row
    },
  )
}

/** What narrows the deliveries down, beside their status, as the table reads it. */
export function filterOf({ error, from, to, search }: FailedFilter) {
  const sought = search?.trim()
  return {
    ...(error && { error }),
    ...(from !== undefined && { from: new Date(from) }),
    ...(to !== undefined && { to: new Date(to) }),
    ...(sought && { search: sought }),
  }
}
