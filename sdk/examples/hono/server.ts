import { serve } from '@hono/node-server'
import { createReceiver, isSample } from '@partner-interview/sdk'
import { openFileStore } from '@partner-interview/sdk/node'
import { Hono } from 'hono'

const receiver = createReceiver({
  secret: process.env.PARTNER_WEBHOOK_SECRET ?? '',
  seen: await openFileStore(process.env.RESULTS_DIR ?? './results'),
  onResult(event, image) {
    if (isSample(event)) return
    console.log(`${event.resultId}: ${event.result.aiAnalysis.scoring.weighted_score}, ${image.length} bytes`)
  },
  onError: (error, resultId) => console.error(resultId, error),
})

const app = new Hono()
// On Cloudflare Workers: receiver.handle(context.req.raw, context.executionCtx), and a store of your own.
app.post('/webhooks/interviews', (context) => receiver.handle(context.req.raw))

serve({ fetch: app.fetch, port: Number(process.env.PORT ?? 4000), hostname: '127.0.0.1' }, (address) => {
  console.log('Listening', address)
  void receiver.resume()
})
