import { createReceiver, isSample, type Receiver } from '@partner-interview/sdk'
import { openFileStore } from '@partner-interview/sdk/node'

export const runtime = 'nodejs'

let opened: Promise<Receiver> | undefined

export async function POST(request: Request): Promise<Response> {
  opened ??= openReceiver()
  const receiver = await opened
  // If the platform stops a function once it has responded, add: { waitUntil: (work) => after(() => work) }
  return receiver.handle(request)
}

/** Created on first use: `next build` loads this module too, without the secret. */
async function openReceiver(): Promise<Receiver> {
  const receiver = createReceiver({
    secret: process.env.PARTNER_WEBHOOK_SECRET ?? '',
    seen: await openFileStore(process.env.RESULTS_DIR ?? './results'),
    onResult(event, image) {
      if (isSample(event)) return
      console.log(`${event.resultId}: ${event.result.aiAnalysis.scoring.weighted_score}, ${image.length} bytes`)
    },
    onError: (error, resultId) => console.error(resultId, error),
  })
  void receiver.resume()
  return receiver
}
