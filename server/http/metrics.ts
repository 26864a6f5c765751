import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createTokenCheck } from './bearer-token.ts'
import { createConnections } from './client-connections.ts'
import { errors, publicText, Refusal } from './errors.ts'
import { connectionLimits } from './limits.ts'
import { handleRawErrors } from './raw-errors.ts'

export type MetricsOptions = {
  /** All metrics in the Prometheus text format. */
  text(): Promise<string>
  /** The scraper's bearer token. Null if anyone who can reach the port may read. */
  token: string | null
  logger: { error(fields: object, text: string): void }
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** /metrics on the main port, behind a token. */
export async function metricsRoute(app: FastifyInstance, { text, token }: { text(): Promise<string>; token: string }) {
  const isToken = createTokenCheck(token)
  app.get('/metrics', async (request, reply) => {
    if (!isToken(request.headers.authorization)) throw new Refusal('metrics_token_invalid')
    return reply.type(contentType).send(await text())
  })
}

// More than scrapers need.
const maxConnections = 64

/** /metrics on its own port. */
export async function serveMetrics(
  { text, token, logger }: MetricsOptions,
  { host, port }: { host: string; port: number },
): Promise<{ close(): Promise<void> }> {
  const mayRead = token === null ? () => true : createTokenCheck(token)
  const connections = createConnections({ ...connectionLimits, connections: maxConnections })
  const server = connections.serve(async (request, response) => {
    const reject = (code: 'not_found' | 'metrics_token_invalid' | 'internal') =>
      response.writeHead(errors[code].status).end(JSON.stringify({ error: publicText(code) }))
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return reject('not_found')
    if (!mayRead(request.headers.authorization)) return reject('metrics_token_invalid')
    try {
      const body = await text()
      return response.writeHead(200, { 'content-type': contentType }).end(body)
    } catch (error) {
      logger.error({ err: error }, 'could not read the metrics')
      return reject('internal')
    }
  })
  handleRawErrors(server)
  await listen(server, host, port)
  return {
    close: () =>
      new Promise((resolve) => {
        connections.stop()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
}
