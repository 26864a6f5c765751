import { randomUUID } from 'node:crypto'
import type { IncomingMessage } from 'node:http'
import { parse as parseQuery } from 'node:querystring'
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
import type { ThumbnailUploader } from '../images/thumbnail-uploader.ts'
import { createListeners, type ListenerLimits } from '../listeners/listeners.ts'
import type { Outbox } from '../notifications/outbox.ts'
import { type Authenticator, createAuthenticator } from '../organizations/authenticator.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import type { SchemaTypeProvider } from '../schema.ts'
import type { InterviewCompletion } from '../workflows/complete-interview.ts'
import { type Connections, createConnections } from './client-connections.ts'
import { type DrainOptions, drainBeforeClosing } from './drain.ts'
import { engineApi } from './engine/api.ts'
import { errors, Refusal } from './errors.ts'
import { normalizeForwardedFor } from './forwarded-for.ts'
import { health } from './health.ts'
import { acceptJson, rejectEncodedBodies } from './json-body.ts'
import { compilersFactory, compileSchemasLazily } from './lazy-schemas.ts'
import { type ConnectionLimits, connectionLimits, limits } from './limits.ts'
import { listenApi } from './listen/api.ts'
import { requestCompleted } from './log-messages.ts'
import { rememberMethods, routeOf } from './methods.ts'
import { metricsRoute } from './metrics.ts'
import { landingPage } from './pages/landing.ts'
import { pageNotFound } from './pages/notice.ts'
import { sendPage } from './pages/page.ts'
import { sandboxPages } from './pages/sandbox.ts'
import { sharedResultPage } from './pages/shared-result.ts'
import { partnerApi } from './partner/api.ts'
import { admit } from './partner/authenticate.ts'
import { reference } from './partner/reference.ts'
import { handleRawErrors } from './raw-errors.ts'
import { refusalFor } from './refusals.ts'
import { settingsApi } from './settings/api.ts'
import { settingsPage } from './settings/page.ts'
import { type RequestTracing, traceRequests } from './tracing.ts'

export type AppDependencies = DrainOptions & {
  database: Database
  logger: FastifyBaseLogger
  clock: () => Date
  completion: InterviewCompletion
  uploader: ThumbnailUploader
  checker: ThumbnailChecker
  engineToken: string
  secretsKey: Buffer
  secretsKeyPrevious: Buffer | null
  unseal: Unseal
  guard: DestinationGuard
  destinationCa: string | null
  outbox: Outbox
  /** Proxies trusted to report the client's IP, in addition to those on this machine. */
  trustedProxies: readonly string[]
  appUrl: string
  apiUrl: string
  interviewUrl: string
  /** A process without `api` serves only health checks and metrics. */
  roles: ReadonlySet<Role>
  /** Whether invitation links open a page where you can play the candidate. */
  sandbox: boolean
  /** Whether `partner-interview listen` may copy events to developers' machines. */
  listen: boolean
  listenerLimits?: ListenerLimits | undefined
  /** Called after every response. */
  requestCompleted?: ((request: CompletedRequest) => void) | undefined
  tracing?: RequestTracing | undefined
  /** If unset, /metrics responds with 404. */
  metrics?: { text(): Promise<string>; token: string } | undefined
  connectionLimits?: ConnectionLimits | undefined
  /** Set if the port was opened before the app was ready to handle requests. */
  connections?: Connections | undefined
}

declare module 'fastify' {
  interface FastifyRequest {
    /** The error text of the response. */
    refusal: string | null
  }
}

export type CompletedRequest = { method: string; route: string; status: number; seconds: number }

/** All routes of the service on one HTTP server, which is not listening yet. */
export async function createApp(dependencies: AppDependencies) {
  const { connectionLimits: max = connectionLimits } = dependencies
  const { connections = createConnections(max) } = dependencies
  const authenticate = createAuthenticator(dependencies.database)
  const app = fastify({
    loggerInstance: dependencies.logger,
    logController: new LogController({ disableRequestLogging: true }),
    // Few requests log anything else, and those that do use logOf().
    childLoggerFactory: (logger) => logger,
    genReqId: requestId,
    bodyLimit: limits.bodyBytes,
    schemaController: { compilersFactory },
    serverFactory: (handle) =>
      connections.serve((request, response) => {
        normalizeForwardedFor(request.headers)
        handle(request, response)
      }),
    // By default, ten seconds for each plugin and hook: a drain may take longer, and so may a start on a busy machine.
    pluginTimeout: 0,
    trustProxy: ['loopback', ...dependencies.trustedProxies],
    // Requests that arrive during shutdown are still served; then the connection closes.
    return503OnClosing: false,
    forceCloseConnections: 'idle',
    routerOptions: {
      ignoreTrailingSlash: true,
      maxParamLength: 20_000,
      querystringParser: (text) => parseQuery(text, '&', '=', { maxKeys: limits.queryFields }),
    },
    frameworkErrors: (error, request, reply) => void handleBadUrl(authenticate, error, request, reply),
  }).withTypeProvider<SchemaTypeProvider>()

  app.decorateRequest('refusal', null)
  rememberMethods(app)
  compileSchemasLazily(app)
  handleRawErrors(app.server)
  app.removeAllContentTypeParsers()
  acceptJson(app, limits.json)

  const listeners =
    dependencies.listen && dependencies.roles.has('api')
      ? createListeners({
          ...dependencies,
          limits: dependencies.listenerLimits,
          report: (problem, error) => dependencies.logger.warn({ err: error }, problem),
        })
      : null
  // Before the drain, which waits for responses to end. These would not.
  app.addHook('preClose', async () => listeners?.close())
  drainBeforeClosing(app, dependencies, { connections, maxMilliseconds: max.stop })
  if (dependencies.tracing) traceRequests(app, dependencies.tracing)
  app.addHook('onRequest', (request, reply, done) => {
    reply.headers(commonHeaders(request))
    if (!hasValidHost(request.raw)) throw new Refusal('bad_http')
    done()
  })
  app.addHook('onResponse', (request, reply, done) => {
    const route = routeOf(request)
    const milliseconds = Math.round(reply.elapsedTime * 10) / 10
    const { method } = request
    const { statusCode: status } = reply
    dependencies.logger.info({ reqId: request.id, method, route, status, milliseconds }, requestCompleted)
    const { isEndless = false } = request.routeOptions.config
    if (!isEndless) dependencies.requestCompleted?.({ method, route, status, seconds: reply.elapsedTime / 1000 })
    done()
  })
  app.addHook('preParsing', rejectEncodedBodies)
  app.setErrorHandler(sendError)
  app.setNotFoundHandler((request, reply) => {
    const refusal = app.unknownRoute(request)
    // The APIs have their own handlers and always send JSON.
    if (refusal.code === 'not_found' && isBrowser(request)) return sendPage(reply, 404, pageNotFound)
    throw refusal
  })

  await app.register(health, dependencies)
  if (dependencies.metrics) await app.register(metricsRoute, dependencies.metrics)
  if (!dependencies.roles.has('api')) return app
  const partner = { ...dependencies, authenticate, prefix: '/v1' }
  reference(app, partner)
  await app.register(partnerApi, partner)
  await app.register(engineApi, { ...dependencies, prefix: '/internal/v1' })
  await app.register(listenApi, { ...dependencies, listeners, prefix: '/listen' })
  await app.register(settingsApi, {
    ...dependencies,
    signIn: createSignIn({
      ...dependencies,
      secretsKeys: { current: dependencies.secretsKey, previous: dependencies.secretsKeyPrevious },
    }),
    prefix: '/settings/api',
  })
  await app.register(settingsPage, { prefix: '/settings' })
  await app.register(landingPage)
  await app.register(sharedResultPage, { ...dependencies, prefix: '/shared' })
  if (dependencies.sandbox) await app.register(sandboxPages, { ...dependencies, prefix: '/interview' })
  return app
}

/** A person opening a URL, not a program that expects JSON. */
function isBrowser({ method, headers }: FastifyRequest): boolean {
  return method === 'GET' && headers.accept?.includes('text/html') === true
}

function requestId(request: { headers: Record<string, string | string[] | undefined> }): string {
  const given = request.headers['x-request-id']
  return typeof given === 'string' && /^[A-Za-z0-9._-]{1,128}$/.test(given) ? given : randomUUID()
}

/** Most responses contain personal data or secret links, so caching is off unless a route turns it on. */
function commonHeaders({ id }: FastifyRequest) {
  return { 'x-request-id': id, 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
}

/** A proxy might interpret a repeated or malformed Host header differently from us. */
function hasValidHost({ rawHeaders, headers: { host }, httpVersion }: IncomingMessage): boolean {
  if (host === undefined) return httpVersion !== '1.1'
  const isRepeated = rawHeaders.filter((text, index) => index % 2 === 0 && /^host$/i.test(text)).length > 1
  return !isRepeated && hostPattern.test(host)
}

const hostPattern = /^([\w.~!$&'()*+,;=%-]+|\[[\da-f:.]+\])(:\d{0,5})?$/i

/** A path that can't be decoded reaches no route and no hook, but under /v1 the key is still checked first. */
async function handleBadUrl(
  authenticate: Authenticator,
  error: FastifyError,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<void> {
  reply.headers(commonHeaders(request))
  try {
    if (request.raw.url?.startsWith('/v1/')) await admit(authenticate, request, reply)
    sendError(error, request, reply)
  } catch (thrown) {
    sendError(thrown instanceof Error ? thrown : error, request, reply)
  }
}

function sendError(error: FastifyError | Refusal | Error, request: FastifyRequest, reply: FastifyReply) {
  const refusal = refusalFor(error, request)
  request.refusal = refusal.message
  if (refusal.code === 'body_too_large' && isDiscardable(request)) reply.removeHeader('connection')
  return reply.code(errors[refusal.code].status).headers(refusal.headers).send({ error: refusal.message })
}

/**
 * Fastify closes the connection after rejecting a body by its length. A proxy that is still sending it would lose the
 * response, and take the machine for dead. Unless it's huge, Node reads the rest and throws it away.
 */
function isDiscardable({ headers }: FastifyRequest): boolean {
  return Number(headers['content-length']) <= limits.discardedBytes
}
