import { randomUUID } from 'node:crypto'
import { METHODS } from 'node:http'
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox'
import fastify, {
  type FastifyBaseLogger,
  type FastifyError,
  type FastifyReply,
  type FastifyRequest,
  LogController,
} from 'fastify'
import { createSignIn } from '../auth/sign-in.ts'
import type { Role } from '../config.ts'
import type { Database } from '../database/database.ts'
import type { ThumbnailChecker } from '../images/thumbnail-checker.ts'
import type { UploadVerdict } from '../images/thumbnail-uploader.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import type { CompletionDependencies } from '../workflows/complete-interview.ts'
import { type DrainOptions, drainBeforeClosing } from './drain.ts'
import { engineApi } from './engine/api.ts'
import { errors, Refusal } from './errors.ts'
import { health } from './health.ts'
import { readJson } from './json-body.ts'
import { metricsRoute } from './metrics.ts'
import { landingPage } from './pages/landing.ts'
import { sandboxPages } from './pages/sandbox.ts'
import { sharedResultPage } from './pages/shared-result.ts'
import { partnerApi } from './partner/api.ts'
import { admit } from './partner/authenticate.ts'
import { reference } from './partner/reference.ts'
import { answerRawErrors } from './raw-errors.ts'
import { refusalFor } from './refusals.ts'
import { settingsApi } from './settings/api.ts'
import { settingsPage } from './settings/page.ts'
import { type RequestTracing, traceRequests } from './tracing.ts'
import { formats } from './validation.ts'

export type AppDependencies = DrainOptions & {
  database: Database
  logger: FastifyBaseLogger
  clock: () => Date
  completion: CompletionDependencies
  checker: ThumbnailChecker
  engineToken: string
  secretsKey: Buffer
  guard: DestinationGuard
  destinationCa: string | null
  /** Beside those on this machine: proxies whose word on where a request comes from is taken. */
  trustedProxies: readonly string[]
  appUrl: string
  interviewUrl: string
  /** A process without `api` answers only how it is. */
  roles: ReadonlySet<Role>
  /** Whether invitation links lead to a page where one can play the candidate. */
  sandbox: boolean
  /** Told of every answer. */
  answered?: ((answer: Answered) => void) | undefined
  /** Told of every image that was uploaded, whether it will do, was refused, or nobody came to look. */
  imageUploaded?: ((verdict: UploadVerdict) => void) | undefined
  tracing?: RequestTracing | undefined
  /** Where there is none, /metrics is not found here. */
  metrics?: { text(): Promise<string>; token: string } | undefined
}

export type Answered = { method: string; route: string; status: number; seconds: number }

export type App = Awaited<ReturnType<typeof createApp>>

/** Every route of the service on one HTTP server that is not listening yet. */
export async function createApp(dependencies: AppDependencies) {
  const app = fastify({
    loggerInstance: dependencies.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: 256 * 1024,
    requestTimeout: 30_000,
    trustProxy: ['loopback', ...dependencies.trustedProxies],
    // Node would answer a request without a host by itself, with an empty body.
    http: { requireHostHeader: false },
    // An answer during shutdown is still an answer: requests that made it here are served, then the connection closes.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: { maxParamLength: 20_000 },
    frameworkErrors: (error, request, reply) => void answerBadUrl(dependencies, error, request, reply),
    ajv: {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        removeAdditional: false,
        verbose: true,
        strictTypes: false,
      },
      onCreate(ajv) {
        for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
      },
    },
  }).withTypeProvider<TypeBoxTypeProvider>()

  for (const method of METHODS) {
    if (!app.supportedMethods.includes(method)) app.addHttpMethod(method)
  }
  answerRawErrors(app.server)
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, readJson)

  drainBeforeClosing(app, dependencies)
  if (dependencies.tracing) traceRequests(app, dependencies.tracing)
  app.addHook('onRequest', (request, reply, done) => {
    reply.header('x-request-id', request.id)
    if (request.headers.host === undefined && request.raw.httpVersion === '1.1') throw new Refusal('bad_http')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    // The route, not the address: links to results and invitations are as good as passwords.
    const { url: route = 'unknown' } = request.routeOptions
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const { method } = request
    const { statusCode: status } = reply
    request.log.info({ method, route, status, milliseconds }, 'answered')
    dependencies.answered?.({ method, route, status, seconds: reply.elapsedTime / 1000 })
    done()
  })
  app.setErrorHandler(answerError)
  app.setNotFoundHandler(() => {
    throw new Refusal('not_found')
  })

  await app.register(health, dependencies)
  if (dependencies.metrics) await app.register(metricsRoute, dependencies.metrics)
  if (!dependencies.roles.has('api')) return app
  await reference(app, dependencies)
  await app.register(partnerApi, { ...dependencies, prefix: '/v1' })
  await app.register(engineApi, { ...dependencies, prefix: '/internal/v1' })
  await app.register(settingsApi, {
    ...dependencies,
    signIn: createSignIn(dependencies),
    prefix: '/settings/api',
  })
  await app.register(settingsPage, { prefix: '/settings' })
  await app.register(landingPage)
  await app.register(sharedResultPage, { ...dependencies, prefix: '/shared' })
  if (dependencies.sandbox) await app.register(sandboxPages, { ...dependencies, prefix: '/interview' })
  return app
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

/** A path that cannot be decoded reaches no route and no hook; under /v1 the key is still looked at first. */
async function answerBadUrl(
  { database }: AppDependencies,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.header('x-request-id', request.id)
  try {
    if (request.raw.url?.startsWith('/v1/')) await admit(database, request, reply)
    answerError(error, request, reply)
  } catch (refused) {
    answerError(refused instanceof Error ? refused : error, request, reply)
  }
}

function answerError(error: FastifyError | Refusal | Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalFor(error, request)
  return reply.code(errors[refusal.code].status).headers(refusal.headers).send({ error: refusal.message })
}
