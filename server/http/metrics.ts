import type { Server } from 'node:http'
import type { FastifyInstance } from 'fastify'
import { createConnections } from './connections.ts'
import { createTokenCheck } from './engine/token.ts'
import { errors, publicText, Refusal } from './errors.ts'
import { connectionLimits } from './limits.ts'
import { answerRawErrors } from './raw-errors.ts'

export type MetricsDoor = {
  /** All there is to tell, in the text format of Prometheus. */
  text(): Promise<string>
  /** What a scraper shows; null where whoever reaches the port may read. */
  token: string | null
}

const contentType = 'text/plain; version=0.0.4; charset=utf-8'

/** /metrics beside everything else, for those who have the token. */
export async function metricsRoute(app: FastifyInstance, { text, token }: { text(): Promise<string>; token: string }) {
  const isToken = createTokenCheck(token)
  app.get('/metrics', async (request, reply) => {
    if (!isToken(request.headers.authorization)) throw new Refusal('metrics_token_invalid')
    return reply.type(contentType).send(await text())
  })
}

// More than any number of scrapers needs.
const mostConnections = 64

/** /metrics, and nothing else, at a port of its own. */
export async function serveMetrics(
  { text, token }: MetricsDoor,
  { host, port }: { host: string; port: number },
): Promise<{ close(): Promise<void> }> {
  const mayRead = token === null ? () => true : createTokenCheck(token)
  const connections = createConnections({ ...connectionLimits, connections: mostConnections })
  const server = connections.serve(async (request, response) => {
    const refuse = (code: 'not_found' | 'metrics_token_invalid' | 'internal') =>
      response.writeHead(errors[code].status).end(JSON.stringify({ error: publicText(code) }))
    if (request.method !== 'GET' || request.url?.split('?')[0] !== '/metrics') return refuse('not_found')
    if (!mayRead(request.headers.authorization)) return refuse('metrics_token_invalid')
    try {
      const answer = await text()
      return response.writeHead(200, { 'content-type': contentType }).end(answer)
    } catch {
      return refuse('internal')
    }
  })
  answerRawErrors(server)
  await listening(server, host, port)
  return {
    close: () =>
      new Promise((resolve) => {
        connections.stop()
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function listening(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => server.once('error', reject).listen(port, host, resolve))
}
