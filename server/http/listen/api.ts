import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { Database } from '../../database/database.ts'
import { createListenAuthenticator, type ListenerIdentity } from '../../listeners/listen-authenticator.ts'
import { createSample } from '../../listeners/listen-samples.ts'
import type { Listeners } from '../../listeners/listeners.ts'
import { type ErrorCode, Refusal } from '../errors.ts'
import { logOf } from '../log-messages.ts'
import { openStream } from './stream.ts'

export type ListenDependencies = {
  database: Database
  clock: () => Date
  /** Null: turned off. */
  listeners: Listeners | null
}

/** /listen: what `partner-interview listen` and `trigger` call. */
export async function listenApi(app: FastifyInstance, { database, clock, listeners }: ListenDependencies) {
  if (listeners === null) {
    app.addHook('onRequest', async () => {
      throw new Refusal('listening_off')
    })
  }
  const authenticate = createListenAuthenticator(database, clock)

  async function admit({ headers }: FastifyRequest): Promise<ListenerIdentity> {
    const token = /^bearer +(\S+) *$/i.exec(headers.authorization ?? '')?.[1]
    if (token === undefined) throw new Refusal('listen_token_required')
    const authentication = await authenticate(token)
    if (authentication.outcome === 'authenticated') return authentication.listener
    throw new Refusal(refusals[authentication.outcome])
  }

  app.get('/events', { exposeHeadRoute: false, config: { isEndless: true } }, async (request, reply) => {
    if (listeners === null) throw new Refusal('listening_off')
    const listener = await admit(request)
    const { 'last-event-id': after } = request.headers
    const stream = openStream(reply)
    const { organizationId, tokenId } = listener
    const outcome = await listeners.serve(listener, typeof after === 'string' ? after : null, stream).catch((error) => {
      if (!reply.raw.headersSent) throw error
      // The listener comes back and goes on where it was.
      logOf(request).warn({ err: error }, 'a listener was cut off')
      return 'served' as const
    })
    if (outcome === 'too_many') throw new Refusal('too_many_listeners', { headers: { 'retry-after': '10' } })
    logOf(request).info({ organizationId, tokenId }, 'listener disconnected')
    stream.close()
    if (!reply.raw.headersSent) throw new Refusal('stopping', { headers: { 'retry-after': '1' } })
    return reply
  })

  app.post('/samples', async (request, reply) => {
    const { organizationId } = await admit(request)
    const sample = await createSample(database, organizationId, clock())
    if (sample === 'too_many') throw new Refusal('too_many_samples', { headers: { 'retry-after': '60' } })
    return reply.code(201).send(sample)
  })

  app.setNotFoundHandler((request) => {
    throw app.unknownRoute(request)
  })
}

const refusals: Record<'invalid' | 'expired' | 'revoked' | 'inactive', ErrorCode> = {
  invalid: 'listen_token_invalid',
  expired: 'listen_token_expired',
  revoked: 'listen_token_revoked',
  inactive: 'organization_inactive',
}
