import { startFauxqs } from 'fauxqs'

export type SqsServer = {
  port: number
  /** What the AWS SDK reads. Also set for this process until the server is closed. */
  environment: Record<string, string>
  /** How many messages wait in a queue, and how many have been received and not deleted. */
  count(queue: string): { waiting: number; received: number }
  close(): Promise<void>
}

/** An SQS server on loopback. */
export async function startSqs(): Promise<SqsServer> {
  const server = await startFauxqs({ port: 0, host: '127.0.0.1', logger: false })
  const environment = sqsEnvironment(server.port)
  const before = Object.keys(environment).map((name) => [name, process.env[name]] as const)
  Object.assign(process.env, environment)
  return {
    port: server.port,
    environment,
    count(queue) {
      const { ready, inflight } = server.inspectQueue(queue)?.messages ?? { ready: [], inflight: [] }
      return { waiting: ready.length, received: inflight.length }
    },
    async close() {
      for (const [name, value] of before) {
        if (value === undefined) delete process.env[name]
        else process.env[name] = value
      }
      await server.stop()
    },
  }
}

export function sqsEnvironment(port: number): Record<string, string> {
  return {
    AWS_REGION: 'eu-central-1',
    AWS_ACCESS_KEY_ID: 'test',
    AWS_SECRET_ACCESS_KEY: 'test',
    AWS_ENDPOINT_URL_SQS: `http://127.0.0.1:${port}`,
  }
}
