import type { FastifyInstance } from 'fastify'
import { checkPendingSecret, type SecretCheck } from '../../endpoints/receiver-check.ts'
import type { Poster } from '../../outbound/post.ts'
import type { SchemaTypeProvider } from '../../schema.ts'
import { activatePendingSecret, discardPendingSecret, preparePendingSecret } from '../../workflows/change-secret.ts'
import { errors, publicText, Refusal } from '../errors.ts'
import { changeBy, memberOf } from './admission.ts'
import { tooManyChecks } from './check-admission.ts'
import { refusedActivation, secretCheck } from './delivery-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { codeHeader } from './error-code.ts'
import {
  activation,
  changedSecret,
  organizationPath,
  preparedSecret,
  secretRequest,
  switchedWebhook,
} from './schemas.ts'

/** The next signing secret: prepared, checked with the receiver, then activated or discarded. */
export function pendingSecretRoutes(app: FastifyInstance, dependencies: SettingsDependencies & { poster: Poster }) {
  const { database, secretsKey, clock } = dependencies
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const params = organizationPath

  routes.post(
    '/webhook/pending-secret',
    { schema: { params, body: secretRequest, response: { 200: changedSecret } } },
    async (request) => {
      const { secret } = request.body
      const prepared = await preparePendingSecret({ database, secretsKey }, changeBy(request), secret, clock())
      if (prepared === 'invalid_secret') throw new Refusal('invalid_secret')
      if (!prepared) throw new Refusal('no_webhook')
      return { webhook: prepared.endpoint, secret: { value: prepared.secret, generated: secret === undefined } }
    },
  )

  routes.post(
    '/webhook/pending-secret/checks',
    { schema: { params, body: preparedSecret, response: { 200: secretCheck } } },
    async (request) => check(memberOf(request).organizationId, new Date(request.body.preparedAt)),
  )

  routes.post(
    '/webhook/pending-secret/activation',
    { schema: { params, body: activation, response: { 200: switchedWebhook, 409: refusedActivation } } },
    async (request, reply) => {
      const { activateAnyway = false } = request.body
      const preparedAt = new Date(request.body.preparedAt)
      const change = changeBy(request)
      const checked = activateAnyway ? null : await check(change.organizationId, preparedAt)
      if (checked?.next.ok === false) {
        const code = 'secret_not_accepted'
        const { next, current } = checked
        return reply
          .code(errors[code].status)
          .headers(codeHeader(code))
          .send({ error: publicText(code), check: { next, current } })
      }
      const webhook = await activatePendingSecret(database, change, clock(), preparedAt)
      if (!webhook) throw new Refusal('no_pending_secret')
      return { webhook }
    },
  )

  routes.delete(
    '/webhook/pending-secret',
    { schema: { params, querystring: preparedSecret, response: { 200: switchedWebhook } } },
    async (request) => {
      const preparedAt = new Date(request.query.preparedAt)
      const webhook = await discardPendingSecret(database, changeBy(request), clock(), preparedAt)
      if (!webhook) throw new Refusal('no_pending_secret')
      return { webhook }
    },
  )

  async function check(organizationId: string, preparedAt: Date): Promise<SecretCheck> {
    const checked = await checkPendingSecret(dependencies, organizationId, preparedAt)
    if (checked.outcome === 'no_pending_secret') throw new Refusal(checked.outcome)
    if (checked.outcome === 'too_many') throw tooManyChecks(checked)
    return checked
  }
}
