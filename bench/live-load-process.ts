/** Reports results as the interview product does: each client uploads an image, reports the result, and repeats. */
import { Client } from 'undici'
import type { Load, LoadReport, Report } from './live-load.ts'
import { monotonicMilliseconds } from './monotonic.ts'

process.on('disconnect', () => process.exit())
process.on('message', async (load: Load) => {
  const answer = await run(load).catch((error: Error) => ({ error: error.message }))
  process.send?.(answer)
})

async function run(load: Load): Promise<LoadReport> {
  const startedAt = monotonicMilliseconds()
  const waiting = load.interviews.values()
  const clients = Array.from({ length: load.clients }, () => new Client(load.url, { headersTimeout: 60_000 }))
  try {
    const reports = await Promise.all(clients.map((client) => work(client, load, waiting)))
    return { startedAt, reports: reports.flat() }
  } finally {
    await Promise.all(clients.map((client) => client.destroy()))
  }
}

async function work(client: Client, load: Load, waiting: Iterator<string>): Promise<Report[]> {
  const reports: Report[] = []
  const put = createPut(client, load.engineToken)
  for (let next = waiting.next(); !next.done; next = waiting.next()) {
    const interview = `/internal/v1/interviews/${next.value}`
    const { usable } = await put(`${interview}/thumbnail`, 'image/jpeg', load.image)
    if (usable === false) throw new Error('The service rejected the image')
    const sentAt = monotonicMilliseconds()
    const { resultId } = await put(`${interview}/result`, 'application/json', load.result)
    if (resultId === undefined) throw new Error('The service returned no result ID')
    reports.push({ resultId, sentAt })
  }
  return reports
}

type Answer = { usable?: boolean | null; resultId?: string }

function createPut(client: Client, engineToken: string) {
  const authorization = `Bearer ${engineToken}`
  return async (path: string, type: string, body: string | Uint8Array): Promise<Answer> => {
    const headers = { authorization, 'content-type': type }
    const response = await client.request({ method: 'PUT', path, headers, body })
    const text = await response.body.text()
    if (response.statusCode > 299) throw new Error(`PUT ${path} responded with ${response.statusCode}: ${text}`)
    return JSON.parse(text)
  }
}
