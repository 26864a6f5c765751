import type { FastifyInstance } from 'fastify'
import { preflight as runPreflight } from '../../endpoints/preflight.ts'
import { checkReceiver, receiverChecks as checks } from '../../endpoints/receiver-check.ts'
import type { Poster } from '../../outbound/post.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { trimmed } from '../input.ts'
import { changeBy, memberOf } from './admission.ts'
import { admitCheck, tooManyChecks } from './check-admission.ts'
import { finding, receiverChecks } from './delivery-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { organizationPath, preflight, preflightRequest } from './schemas.ts'

const checkPath = Type.Object({ ...organizationPath.properties, name: Type.String() })

export function checkRoutes(app: FastifyInstance, dependencies: SettingsDependencies & { poster: Poster }) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const { database } = dependencies

  routes.post(
    '/webhook/preflight',
    {
      preValidation: trimmed('url'),
      schema: { params: organizationPath, body: preflightRequest, response: { 200: preflight } },
    },
    async (request) => {
      await admitCheck(database, memberOf(request))
      return runPreflight(dependencies, request.body.url)
    },
  )

  routes.get(
    '/webhook/checks',
    { schema: { params: organizationPath, response: { 200: receiverChecks } } },
    async () => ({ data: checks }),
  )

  routes.post(
    '/webhook/checks/:name',
    { schema: { params: checkPath, response: { 200: finding } } },
    async (request) => {
      const checked = await checkReceiver(dependencies, changeBy(request), request.params.name)
      switch (checked.outcome) {
        case 'checked':
          return checked.finding
        case 'no_webhook':
          throw new Refusal('no_webhook')
        case 'unknown_check':
          throw new Refusal('check_not_found')
        case 'too_many':
          throw tooManyChecks(checked)
      }
    },
  )
}
