import { Readable } from 'node:stream'
import type { FastifyInstance } from 'fastify'
import { deliveryHealth as healthOf, intervalFor, maxHealthDays } from '../../deliveries/delivery-health.ts'
import { currentRound, readHistory, readRounds } from '../../deliveries/delivery-history.ts'
import { findDeliveryRow, listDeliveryRows } from '../../deliveries/delivery-table.ts'
import { eventId } from '../../deliveries/event.ts'
import { explainAttempt, explainDelivery } from '../../deliveries/explanation.ts'
import { readEventBody, viewPayload } from '../../deliveries/payload-view.ts'
import { countFailed } from '../../deliveries/retry-runs.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { retryFailed, retrySelected } from '../../workflows/administer.ts'
import { Refusal } from '../errors.ts'
import { numericLimit } from '../input.ts'
import { changeBy, memberOf } from './admission.ts'
import { attachment, csvType } from './csv.ts'
import {
  deliveriesQuery,
  deliveryDetail,
  deliveryHealth,
  deliveryPage,
  deliveryPayload,
  deliveryRow,
  exportQuery,
  type FailedFilter,
  failedCount,
  failedFilter,
  type HealthQuery,
  healthQuery,
  retriedSelection,
  retrySelection,
} from './delivery-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { createDownloads } from './downloads.ts'
import { exportDeliveries } from './export.ts'
import { organizationPath } from './schemas.ts'

const deliveryPath = Type.Object({ ...organizationPath.properties, deliveryId: Type.String() })

export function deliveryRoutes(app: FastifyInstance, { database, clock, appUrl }: SettingsDependencies) {
  const downloads = createDownloads()
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
    '/deliveries/export.csv',
    { config, schema: { params: organizationPath, querystring: exportQuery } },
    async (request, reply) => {
      const { organizationId } = memberOf(request)
      const { status, ...rest } = request.query
      const filter = { ...(status && { status }), ...filterOf(rest) }
      const pages = exportDeliveries(database, organizationId, filter)
      return reply.headers(attachment('deliveries.csv', csvType)).send(Readable.from(pages))
    },
  )

  routes.get(
    '/deliveries/health',
    { config, schema: { params: organizationPath, querystring: healthQuery, response: { 200: deliveryHealth } } },
    (request) => {
      const now = clock()
      return healthOf(database, memberOf(request).organizationId, healthRange(request.query, now), now)
    },
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
      const rounds = await readRounds(database, deliveryId)
      return {
        ...row,
        eventId: eventId(row.resultId),
        rounds,
        failure: explainDelivery(row, currentRound(rounds), history),
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
      if (payload === 'erased') throw new Refusal('event_erased')
      return payload
    },
  )

  routes.get(
    '/deliveries/:deliveryId/event.json',
    { config, schema: { params: deliveryPath } },
    async (request, reply) => {
      const { organizationId } = memberOf(request)
      if (!downloads.start(organizationId, request.raw.socket, reply.raw)) {
        throw new Refusal('too_many_downloads', { headers: { 'retry-after': '5' } })
      }
      const body = await readEventBody({ database, appUrl }, organizationId, request.params.deliveryId)
      if (!body) throw new Refusal('delivery_not_found')
      if (body === 'erased') throw new Refusal('event_erased')
      return reply.headers(attachment(`${request.params.deliveryId}.json`, 'application/json')).send(body)
    },
  )

  routes.post(
    '/deliveries/retries',
    { schema: { params: organizationPath, body: retrySelection, response: { 200: retriedSelection } } },
    async (request) => ({
      retried: await retrySelected(database, changeBy(request), request.body.ids, clock()),
    }),
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

const day = 86_400_000
const spanDays = { day: 1, week: 7, month: 30 }

function healthRange({ last = 'day', from, to }: HealthQuery, now: Date): { from: Date; to: Date } {
  if (from === undefined) {
    // The current interval counts as a whole, so the last 24 hours are 48 half hours.
    const interval = intervalFor(spanDays[last] * day)
    const end = (Math.floor(now.getTime() / interval) + 1) * interval
    return { from: new Date(end - spanDays[last] * day), to: new Date(end) }
  }
  const range = { from: new Date(from), to: to === undefined ? now : new Date(to) }
  const length = range.to.getTime() - range.from.getTime()
  if (length <= 0 || length > maxHealthDays * day) throw new Refusal('invalid_range')
  return range
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
