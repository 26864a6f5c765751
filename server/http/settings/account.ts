import type { FastifyInstance } from 'fastify'
import { isId } from '../../database/ids.ts'
import { type EndedSessions, endSessions, listSessions } from '../../organizations/sessions.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { sessionOf } from './admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { endedSessions, sessionList, sessionPath } from './member-schemas.ts'

/** What people do with their own account, whatever organization they are in. */
export function accountRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()

  routes.get(
    '/sessions',
    { config: { access: 'signed in' }, schema: { response: { 200: sessionList } } },
    async (request) => {
      const { userId, sessionId, organizationId } = sessionOf(request)
      const data = await listSessions(database, userId, organizationId)
      return { data: data.map((session) => ({ ...session, current: session.id === sessionId })) }
    },
  )

  routes.delete(
    '/sessions/:sessionId',
    { config: { access: 'signed in' }, schema: { params: sessionPath } },
    async (request, reply) => {
      const { sessionId } = request.params
      const ended = isId('ses', sessionId) ? await end(request, { only: sessionId }) : 0
      if (ended === 0) throw new Refusal('session_not_found')
      return reply.code(204).send()
    },
  )

  routes.delete(
    '/sessions',
    { config: { access: 'signed in' }, schema: { response: { 200: endedSessions } } },
    async (request) => ({ ended: await end(request, { allBut: sessionOf(request).sessionId }) }),
  )

  function end(request: Parameters<typeof sessionOf>[0], which: EndedSessions): Promise<number> {
    const { userId, email, organizationId: only } = sessionOf(request)
    const ending = { user: { id: userId, email }, which, actor: email, only }
    return database.transaction((transaction) => endSessions(transaction, ending, clock()))
  }
}
