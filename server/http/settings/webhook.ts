import type { FastifyInstance, FastifyReply } from 'fastify'
import { findEndpoint, isSecret } from '../../endpoints/endpoint.ts'
import { type Preflight, preflight } from '../../endpoints/preflight.ts'
import { explainVetting } from '../../outbound/allow-hint.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { removeWebhook, saveWebhook, switchWebhook } from '../../workflows/administer.ts'
import { changeSecret } from '../../workflows/change-secret.ts'
import { errors, publicText, Refusal } from '../errors.ts'
import { trimmed } from '../input.ts'
import { changeBy, memberOf } from './admission.ts'
import { admitCheck } from './check-admission.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { codeHeader } from './error-code.ts'
import {
  changedSecret,
  currentWebhook,
  organizationPath,
  refusedWebhook,
  savedWebhook,
  secretRequest,
  switchedWebhook,
  webhookRequest,
  webhookSwitch,
} from './schemas.ts'

export function webhookRoutes(app: FastifyInstance, dependencies: SettingsDependencies) {
  const { database, guard, secretsKey, clock } = dependencies
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const params = organizationPath

  routes.get('/webhook', { schema: { params, response: { 200: currentWebhook } } }, async (request) => ({
    webhook: await findEndpoint(database, memberOf(request).organizationId),
  }))

  routes.put(
    '/webhook',
    {
      preValidation: trimmed('url'),
      schema: {
        params,
        body: webhookRequest,
        response: { 200: savedWebhook, 409: refusedWebhook, 422: refusedWebhook },
      },
    },
    async (request, reply) => {
      const { url, secret, saveAnyway = false } = request.body
      if (secret !== undefined && !isSecret(secret)) throw new Refusal('invalid_secret')
      await admitCheck(database, memberOf(request))
      const seen = await preflight(dependencies, url)
      // Guarded, but not reachable now: the admin decides whether it will be.
      if (seen.tls?.ok === false && !saveAnyway) return refuse(reply, 'endpoint_unreachable', seen)
      const wanted = { url, ...(secret !== undefined && { secret }) }
      const saved = await saveWebhook({ database, guard, secretsKey }, changeBy(request), wanted, clock())
      if (saved.outcome === 'invalid_secret') throw new Refusal('invalid_secret')
      if (saved.outcome === 'refused') return refuse(reply, 'destination_refused', seen, explainVetting(saved.vetting))
      const { endpoint, secret: value, generated } = saved
      return { webhook: endpoint, secret: value === null ? null : { value, generated }, preflight: seen }
    },
  )

  routes.patch(
    '/webhook',
    { schema: { params, body: webhookSwitch, response: { 200: switchedWebhook } } },
    async (request) => {
      const webhook = await switchWebhook(database, changeBy(request), request.body.enabled, clock())
      if (!webhook) throw new Refusal('no_webhook')
      return { webhook }
    },
  )

  routes.delete('/webhook', { schema: { params } }, async (request, reply) => {
    await removeWebhook(database, changeBy(request), clock())
    return reply.code(204).send()
  })

  routes.post(
    '/webhook/secret',
    { schema: { params, body: secretRequest, response: { 200: changedSecret } } },
    async (request) => {
      const { secret } = request.body
      const changed = await changeSecret({ database, secretsKey }, changeBy(request), secret, clock())
      if (changed === 'invalid_secret') throw new Refusal('invalid_secret')
      if (!changed) throw new Refusal('no_webhook')
      return { webhook: changed.endpoint, secret: { value: changed.secret, generated: secret === undefined } }
    },
  )
}

/** An error that comes with the check that failed. */
function refuse(
  reply: FastifyReply,
  code: 'destination_refused' | 'endpoint_unreachable',
  preflight: Preflight,
  detail?: string,
): FastifyReply {
  return reply
    .code(errors[code].status)
    .headers(codeHeader(code))
    .send({ error: publicText(code, detail), preflight })
}
