import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** Responses the page polls for rarely change: it sends the ETag it has, and gets the body only if there is news. */
export function sendOnlyNews(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload
    const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`
    reply.header('etag', etag)
    if (request.headers['if-none-match'] !== etag) return payload
    reply.code(304).removeHeader('content-type').removeHeader('content-length')
    return null
  })
}
