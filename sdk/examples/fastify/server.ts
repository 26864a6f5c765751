import { createReceiver, isSample } from '@partner-interview/sdk'
import { openFileStore } from '@partner-interview/sdk/node'
import fastify from 'fastify'

const receiver = createReceiver({
  secret: process.env.PARTNER_WEBHOOK_SECRET ?? '',
  seen: await openFileStore(process.env.RESULTS_DIR ?? './results'),
  onResult(event, image) {
    if (isSample(event)) return
    console.log(`${event.resultId}: ${event.result.aiAnalysis.scoring.weighted_score}, ${image.length} bytes`)
  },
  onError: (error, resultId) => console.error(resultId, error),
})

const app = fastify()
// In a plugin of its own, so that the body is left unread only here.
await app.register(async (webhooks) => {
  webhooks.removeAllContentTypeParsers()
  webhooks.addContentTypeParser('*', (_request, _payload, done) => done(null))
  webhooks.post('/webhooks/interviews', (request, reply) => {
    reply.hijack()
    return receiver.node(request.raw, reply.raw)
  })
})

await app.listen({ port: Number(process.env.PORT ?? 4000), host: '127.0.0.1' })
console.log('Listening', app.server.address())
void receiver.resume()
