import { Client } from 'undici'

export type Call = { method: 'GET' | 'POST'; path: string; body?: string }

export type Caller = (call: Call) => Promise<string>

// The limit is 120 requests per key and minute.
const requestsPerKey = 100

/** Calls on its own keep-alive connection. Any response but a 2xx is an error. */
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
    throw new Error(`${method} ${path} responded with ${response.statusCode}: ${text}`)
  }
}

/** Each client sends its next request as soon as it has a response, until time is up. */
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
