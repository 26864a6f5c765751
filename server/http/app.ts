import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
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
import type { Unseal } from '../endpoints/secrets.ts'
import type { ThumbnailChecker } from '../images/thumbnail-checker.ts'
import type { UploadVerdict } from '../images/thumbnail-uploader.ts'
import { type Authenticator, createAuthenticator } from '../organizations/authenticator.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import type { InterviewCompletion } from '../workflows/complete-interview.ts'
import { type Connections, createConnections } from './connections.ts'
import { type DrainOptions, drainBeforeClosing } from './drain.ts'
import { engineApi } from './engine/api.ts'
import { errors, Refusal } from './errors.ts'
import { health } from './health.ts'
import { acceptJson, refuseEncodedBodies } from './json-body.ts'
import { compilersFactory, compileSchemasLazily } from './lazy-schemas.ts'
import { type ConnectionLimits, connectionLimits, limits } from './limits.ts'
import { rememberMethods } from './methods.ts'
import { metricsRoute } from './metrics.ts'
import { landingPage } from './pages/landing.ts'
import { nothingHere } from './pages/notice.ts'
import { sendPage } from './pages/page.ts'
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

export type AppDependencies = DrainOptions & {
  database: Database
  logger: FastifyBaseLogger
  clock: () => Date
  completion: InterviewCompletion
  checker: ThumbnailChecker
  engineToken: string
  secretsKey: Buffer
  unseal: Unseal
  guard: DestinationGuard
  destinationCa: string | null
  /** Beside those on this machine: proxies whose word on where a request comes from is taken. */
  trustedProxies: readonly string[]
  appUrl: string
  apiUrl: string
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
  connectionLimits?: ConnectionLimits | undefined
  /** Where the port was opened before there was anything to answer with. */
  connections?: Connections | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The public text of the error the request was answered with. */
    refusal: string | null
  }
}

export type Answered = { method: string; route: string; status: number; seconds: number }

export type App = Awaited<ReturnType<typeof createApp>>

/** Every route of the service on one HTTP server that is not listening yet. */
export async function createApp(dependencies: AppDependencies) {
  const { connectionLimits: most = connectionLimits } = dependencies
  const { connections = createConnections(most) } = dependencies
  const authenticate = createAuthenticator(dependencies.database)
  const app = fastify({
    loggerInstance: dependencies.logger,
    logController: new LogController({ disableRequestLogging: true }),
    genReqId: requestId,
    bodyLimit: limits.bodyBytes,
    schemaController: { compilersFactory },
    serverFactory: connections.serve,
    trustProxy: ['loopback', ...dependencies.trustedProxies],
    // An answer during shutdown is still an answer: requests that made it here are served, then the connection closes.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 20_000,
      querystringParser: (text) => parseQuery(text, '&', '=', { maxKeys: limits.queryFields }),
    },
    frameworkErrors: (error, request, reply) => void answerBadUrl(authenticate, error, request, reply),
  }).withTypeProvider<TypeBoxTypeProvider>()

  app.decorateRequest('refusal', null)
  rememberMethods(app)
  compileSchemasLazily(app)
  answerRawErrors(app.server)
  app.removeAllContentTypeParsers()
  acceptJson(app, limits.json)

  drainBeforeClosing(app, dependencies, { connections, mostMilliseconds: most.stop })
  if (dependencies.tracing) traceRequests(app, dependencies.tracing)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(headersOf(request))
    if (!isHostClear(request.raw)) throw new Refusal('bad_http')
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
  app.addHook('preParsing', refuseEncodedBodies)
  app.setErrorHandler(answerError)
  app.setNotFoundHandler((request, reply) => {
    const refusal = app.unknownRoute(request)
    // Beneath the APIs, which have handlers of their own, everyone gets JSON.
    if (refusal.code === 'not_found' && isBrowser(request)) return sendPage(reply, 404, nothingHere)
    throw refusal
  })

  await app.register(health, dependencies)
  if (dependencies.metrics) await app.register(metricsRoute, dependencies.metrics)
  if (!dependencies.roles.has('api')) return app
  const partner = { ...dependencies, authenticate, prefix: '/v1' }
  reference(app, partner)
  await app.register(partnerApi, partner)
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

/** A person who opened an address, rather than a program that expects JSON. */
function isBrowser({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

/** On every answer. Most hold links or what people said; a route whose answers may be kept says so itself. */
function headersOf({ id }: FastifyRequest) {
  return { 'x-request-id': id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

/** Two hosts, or one that is none, may mean one thing to a proxy and another to us. */
function isHostClear({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion !== '1.1'
  const isRepeated = rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1
  return !isRepeated && hostForm.test(host)
}

const hostForm = /^([\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i

/** A path that cannot be decoded reaches no route and no hook; under /v1 the key is still looked at first. */
async function answerBadUrl(
  authenticate: Authenticator,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers(headersOf(request))
  try {
    if (request.raw.url?.startsWith('/v1/')) await admit(authenticate, request, reply)
    answerError(error, request, reply)
  } catch (refused) {
    answerError(refused instanceof Error ? refused : error, request, reply)
  }
}

function answerError(error: FastifyError | Refusal | Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalFor(error, request)
  request.refusal = refusal.message
  return reply.code(errors[refusal.code].status).headers(refusal.headers).send({ error: refusal.message })
}
