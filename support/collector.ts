import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'

export type ReceivedSpan = {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  attributes: Record<string, unknown>
}

export type Collector = {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT, with http/json for its protocol. */
  url: string
  spans(): ReceivedSpan[]
  /** Every request body, unparsed. */
  raw(): string
  close(): Promise<void>
}

type Value = { stringValue?: string; intValue?: number | string; doubleValue?: number }
type Span = Omit<ReceivedSpan, 'attributes'> & { attributes: { key: string; value: Value }[] }
type Body = { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] }

/** Receives traces as OTLP/JSON. */
export async function startCollector(): Promise<Collector> {
  const bodies: string[] = []
  const server = createServer(async (request, response) => {
    bodies.push(await text(request))
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    raw: () => bodies.join('\n'),
    spans: () =>
      bodies
        .flatMap((body) => (JSON.parse(body) as Body).resourceSpans)
        .flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans))
        .map(({ attributes, ...span }) => ({
          ...span,
          attributes: Object.fromEntries(
            attributes.map(({ key, value }) => [key, value.stringValue ?? value.doubleValue ?? Number(value.intValue)]),
          ),
        })),
    close() {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(() => resolve()))
    },
  }
}
