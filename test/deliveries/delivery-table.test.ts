import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Database, Queryable } from '../../server/database/database.ts'
import { type DeliveryFilter, findDeliveryRow, listDeliveryRows } from '../../server/deliveries/delivery-table.ts'
import { attemptErrors, deliveryStatuses } from '../../server/deliveries/outcome.ts'
import { createOrganization } from '../../server/organizations/organizations.ts'
import { engines } from '../../support/engines.ts'
import { type StoredDelivery, storeDeliveries } from '../../support/stored-deliveries.ts'

const start = Date.parse('2026-03-01T12:00:00.000Z')
const minutes = (count: number) => new Date(start + count * 60_000)
const lastNames = ['Hopper', 'Lovelace', 'Đoković', '']
const people = ['ada', 'ada.l', 'Alan', 'grace', 'g%_x', 'zoë']

for (const engine of engines) {
  describe(`the table of deliveries on ${engine.name}`, () => {
    let database: Database
    let organizationId: string
    let stored: StoredDelivery[]
    before(async () => {
      database = await engine.open()
      const organization = await createOrganization(database, 'Acme', minutes(0))
      const other = await createOrganization(database, 'Other', minutes(0))
      organizationId = organization.id
      const toStore = Array.from({ length: 90 }, (_, index) => {
        const status = deliveryStatuses[index % 3] ?? 'PENDING'
        const error = status === 'DELIVERED' || index % 4 === 0 ? undefined : attemptErrors[index % 5]
        // Three at a time are created in the same millisecond.
        const createdAt = minutes(Math.floor(index / 3))
        const email = `${people[index % people.length]}.${index}@example.com`
        const names = { firstName: 'Quinn', lastName: lastNames[index % 4] ?? '' }
        return { email, ...names, status, createdAt, ...(error && { error }) }
      })
      stored = await storeDeliveries(database, organizationId, toStore)
      await storeDeliveries(database, other.id, toStore)
    })
    after(() => database.close())

    const expected = ({ status, error, from, to, search }: DeliveryFilter) =>
      stored
        .filter((row) => status === undefined || row.status === status)
        .filter((row) => error === undefined || row.error === error)
        .filter(({ createdAt }) => (!from || createdAt >= from.toISOString()) && (!to || createdAt <= to.toISOString()))
        .filter(({ id, resultId, invitationId, email, firstName, lastName }) => {
          if (!search || [id, resultId, invitationId, `external_result_completed_${resultId}`].includes(search))
            return true
          const texts = search.includes('@') ? [email] : [email, `${firstName} ${lastName}`, lastName]
          return texts.some((text) => text.toLowerCase().startsWith(search.toLowerCase()))
        })
        .toSorted((a, b) => `${b.createdAt}${b.id}`.localeCompare(`${a.createdAt}${a.id}`, 'en'))
        .map(({ id }) => id)

    const searches = () => [
      ...['a', 'ADA', 'ada.l', 'alan', 'g%', 'g_', '%', 'zoë', 'zo', 'nobody', 'ada.0@', 'hop@'],
      ...['quinn', 'QUINN L', 'quinn lovelace', 'hop', 'love', 'okov', 'quinn h'],
      ...[stored[7]?.resultId, stored[8]?.id, stored[9]?.invitationId].map((id) => id ?? ''),
      `external_result_completed_${stored[10]?.resultId}`,
    ]
    const filters = (): DeliveryFilter[] => [
      {},
      ...deliveryStatuses.map((status) => ({ status })),
      ...attemptErrors.map((error) => ({ error })),
      { status: 'FAILED', error: 'HTTP_4XX' },
      { status: 'DELIVERED', error: 'HTTP_4XX' },
      { from: minutes(4), to: minutes(9) },
      { status: 'PENDING', from: minutes(20) },
      { from: minutes(9), to: minutes(4) },
      ...searches().flatMap((search) => [
        { search },
        { search, status: 'FAILED' as const },
        { search, error: 'TIMEOUT' as const },
      ]),
      { search: 'ada', status: 'FAILED', error: 'TIMEOUT', from: minutes(1), to: minutes(25) },
    ]

    test('each filter and combinations of filters show what matches, newest first, in pages · SET-4', async () => {
      for (const filter of filters()) {
        const walked: string[] = []
        for (let cursor: string | null = ''; cursor !== null; ) {
          const page = await listDeliveryRows(database, organizationId, {
            ...filter,
            limit: 7,
            ...(cursor && { cursor }),
          })
          assert.ok(page !== 'invalid_cursor')
          assert.ok(page.data.length <= 7 && (page.nextCursor === null || page.data.length === 7))
          walked.push(...page.data.map(({ id }) => id))
          cursor = page.nextCursor
        }
        assert.deepEqual(walked, expected(filter), JSON.stringify(filter))
      }
    })

    test('pages of all sizes share a few statements, because connections keep each', async () => {
      const texts = new Set<string>()
      const watched: Queryable = {
        ...database,
        query: (statement, use) => {
          texts.add(statement.text)
          return database.query(statement, use)
        },
      }
      for (let limit = 1; limit <= 100; limit++) {
        const page = await listDeliveryRows(watched, organizationId, { limit })
        assert.ok(page !== 'invalid_cursor')
        assert.equal(page.data.length, Math.min(limit, stored.length))
        assert.equal(page.nextCursor === null, limit >= stored.length)
      }
      assert.ok(texts.size < 10, `${texts.size} statements`)
    })

    test('an email address shared by many candidates is found by every query plan', async () => {
      const ways = [
        { fewCandidates: 1_000, newest: [] },
        { fewCandidates: 0, newest: [1_000] },
        { fewCandidates: 0, newest: [10, 20] },
      ]
      for (const filter of filters().filter(({ search }) => search !== undefined)) {
        for (const way of ways) {
          const page = await listDeliveryRows(database, organizationId, { ...filter, limit: 10 }, way)
          assert.ok(page !== 'invalid_cursor')
          const ids = page.data.map(({ id }) => id)
          assert.deepEqual(ids, expected(filter).slice(0, 10), JSON.stringify({ filter, way }))
        }
      }
    })

    test('a row shows the candidate and the template, and one from another organization is not found', async () => {
      const [first] = stored
      assert.ok(first)
      assert.deepEqual(await findDeliveryRow(database, organizationId, first.id), {
        id: first.id,
        resultId: first.resultId,
        invitationId: first.invitationId,
        candidate: { email: first.email, firstName: 'Quinn', lastName: 'Hopper' },
        templateId: first.templateId,
        templateName: 'Stored',
        status: 'PENDING',
        failureReason: null,
        lastError: null,
        erased: false,
        round: 1,
        attempts: 4,
        totalAttempts: 4,
        createdAt: first.createdAt,
        updatedAt: first.createdAt,
        deliveredAt: null,
        nextAttemptAt: null,
      })
      const { id: nobody } = await createOrganization(database, 'Nobody', minutes(0))
      assert.equal(await findDeliveryRow(database, nobody, first.id), null)
      assert.equal(await findDeliveryRow(database, organizationId, "dlv_'--"), null)
    })

    test('a foreign cursor is rejected · LIM-3', async () => {
      const foreign = [['Mar 1 2026', stored[0]?.id], ['x'], ['2026-03-01', 'x'], ['x', stored[0]?.id], [1, 2], []]
      // Well-formed times that Date accepts and the database doesn't.
      for (const time of ['0000-06-01T00:00:00.000Z', '2026-02-30T00:00:00.000Z', '2026-03-01T24:00:00.000Z']) {
        foreign.push([time, stored[0]?.id])
      }
      for (const cursor of [
        '',
        'x',
        ...foreign.map((parts) => Buffer.from(JSON.stringify(parts)).toString('base64url')),
      ]) {
        assert.equal(await listDeliveryRows(database, organizationId, { limit: 1, cursor }), 'invalid_cursor', cursor)
      }
    })
  })
}
