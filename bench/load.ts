import { Client } from 'undici'

export type Call = { method: 'GET' | 'POST'; path: string; body?: string }

export type Caller = (call: Call) => Promise<string>

// A key may make 120 requests a minute.
const requestsPerKey = 100

/** Calls on a kept connection of its own. Any answer but a 2xx is an error. */
export function openCaller(url: string, takeKey: () => string): Caller {
  const client = new Client(url)
  let key = ''
  let used = requestsPerKey
  return async ({ method, path, body }) => {
    if (used === requestsPerKey) {
      key = takeKey()
      used = 0
    }
    used++
    const headers = { 'x-service-api-key': key, ...(body !== undefined && { 'content-type': 'application/json' }) }
    const response = await client.request({ method, path, headers, body: body ?? null })
    const text = await response.body.text()
    if (response.statusCode >= 200 && response.statusCode <= 299) return text
    throw new Error(`${method} ${path} was answered with ${response.statusCode}: ${text}`)
  }
}

/** Each calls again as soon as it has its answer, until the time is over. */
export async function requestsPerSecond(callers: Caller[], call: Call, milliseconds: number): Promise<number> {
  const start = performance.now()
  let answered = 0
  const calling = callers.map(async (caller) => {
    while (performance.now() < start + milliseconds) {
      await caller(call)
      answered++
    }
  })
  await Promise.all(calling)
  return (answered / (performance.now() - start)) * 1000
}
