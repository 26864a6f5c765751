import type { FastifyInstance } from 'fastify'
import { createRetryRunner } from '../../deliveries/retry-runner.ts'
import { currentRetryRun as currentOf, findRetryRun, startRetryRun } from '../../deliveries/retry-runs.ts'
import { type SchemaTypeProvider, Type } from '../../schema.ts'
import { Refusal } from '../errors.ts'
import { changeBy, memberOf } from './admission.ts'
import { filterOf } from './deliveries.ts'
import { currentRetryRun, failedFilter, retryRun } from './delivery-schemas.ts'
import type { SettingsDependencies } from './dependencies.ts'
import { organizationPath } from './schemas.ts'

const runPath = Type.Object({ ...organizationPath.properties, runId: Type.String() })

export function retryRunRoutes(app: FastifyInstance, { database, clock }: SettingsDependencies) {
  const routes = app.withTypeProvider<SchemaTypeProvider>()
  const config = { access: 'viewer' } as const
  const report = (problem: string, error: unknown) => app.log.error({ err: error }, problem)
  const runner = createRetryRunner({ database, clock, report })
  app.addHook('onClose', () => runner.stop())

  routes.post(
    '/retry-runs',
    { schema: { params: organizationPath, body: failedFilter, response: { 202: retryRun } } },
    async (request, reply) => {
      const run = await startRetryRun(database, { ...changeBy(request), filter: filterOf(request.body) }, clock())
      // Runs in this process so it starts right away; if the process dies, a worker takes over.
      runner.resume()
      reply.code(202)
      return run
    },
  )

  routes.get(
    '/retry-runs/current',
    { config, schema: { params: organizationPath, response: { 200: currentRetryRun } } },
    async (request) => ({ run: await currentOf(database, memberOf(request).organizationId, clock()) }),
  )

  routes.get(
    '/retry-runs/:runId',
    { config, schema: { params: runPath, response: { 200: retryRun } } },
    async (request) => {
      const run = await findRetryRun(database, memberOf(request).organizationId, request.params.runId)
      if (!run) throw new Refusal('retry_run_not_found')
      return run
    },
  )
}
