import { createReceiver, isSample } from '@partner-interview/sdk'
import { openFileStore } from '@partner-interview/sdk/node'
import express from 'express'

const receiver = createReceiver({
  secret: process.env.PARTNER_WEBHOOK_SECRET ?? '',
  seen: await openFileStore(process.env.RESULTS_DIR ?? './results'),
  onResult(event, image) {
    if (isSample(event)) return
    console.log(`${event.resultId}: ${event.result.aiAnalysis.scoring.weighted_score}, ${image.length} bytes`)
  },
  onError: (error, resultId) => console.error(resultId, error),
})

const app = express()
// Before any body parser: the signature covers the raw bytes.
app.post('/webhooks/interviews', receiver.node)
app.use(express.json())

const server = app.listen(Number(process.env.PORT ?? 4000), '127.0.0.1', () => {
  console.log('Listening', server.address())
  void receiver.resume()
})
