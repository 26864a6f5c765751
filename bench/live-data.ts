/** Prepares a version for the reports, using only its own public interfaces. */
import { cp, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { Client } from 'pg'
import type { Environment } from './api-data.ts'
import { startServer } from './api-server.ts'
import type { Bench } from './delivering.ts'
import type { LiveDatabase } from './live-options.ts'
import { runCommand, type Version } from './live-version.ts'

export const engineToken = 'bench-'.repeat(8)

/** A database with interviews that wait for their results. If it is embedded, `url` is null and it is in `data`. */
export type LiveData = { url: string | null; data: string; interviews: string[] }

type Scope = { version: Version; database: LiveDatabase; organizations: number; interviews: number }

export async function prepareLiveData(bench: Bench, scope: Scope): Promise<LiveData> {
  const { version, database, organizations } = scope
  const data = await mkdtemp(join(bench.directory, 'data-'))
  const url = database === 'postgres' ? await bench.postgres.createDatabase() : null
  const environment = environmentOf(bench, { url, data })
  const server = await startServer('server/main.ts', environment, bench.directory, version)
  const share = Math.ceil(scope.interviews / organizations)
  const interviews: string[][] = []
  try {
    const waiting = Array.from({ length: organizations }, (_, index) => `Bench ${index}`).values()
    const work = async () => {
      for (const name of waiting) {
        const partner = await openPartner({ bench, version, environment }, name, share)
        interviews.push(await inviteCandidates(server.url, partner, share))
      }
    }
    await Promise.all([work(), work()])
  } finally {
    await server.stop()
  }
  // Otherwise PostgreSQL would do it in the background during the measurement.
  if (url) await runStatement(url, 'vacuum analyze')
  // Interleaved, as in real traffic.
  const inTurns = Array.from({ length: share }, (_, index) => interviews.flatMap((one) => one[index] ?? [])).flat()
  return { url, data, interviews: inTurns }
}

export async function copyLiveData({ directory, postgres }: Bench, original: LiveData): Promise<LiveData> {
  const data = await mkdtemp(join(directory, 'data-'))
  await cp(original.data, data, { recursive: true })
  return { ...original, data, url: original.url && (await postgres.copyDatabase(original.url)) }
}

export async function removeLiveData({ postgres }: Bench, { url, data }: LiveData): Promise<void> {
  if (url) await postgres.dropDatabase(url)
  await rm(data, { recursive: true, force: true })
}

export function environmentOf({ directory }: Bench, { url, data }: Pick<LiveData, 'url' | 'data'>): Environment {
  return {
    ...(url ? { DATABASE_URL: url } : { DATA_DIR: data }),
    ENGINE_TOKEN: engineToken,
    SECRETS_KEY: Buffer.alloc(32, 7).toString('base64'),
    DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
    DESTINATION_CA_FILE: join(directory, 'ca.pem'),
  }
}

type Partner = { takeKey(): string }

// The limit is 120 requests per key and minute, so several keys avoid waiting.
const requestsPerKey = 110

async function openPartner(
  { bench, version, environment }: { bench: Bench; version: Version; environment: Environment },
  name: string,
  requests: number,
): Promise<Partner> {
  const command = <Output>(...args: string[]) => runCommand<Output>(version, environment, args)
  const { id } = await command<{ id: string }>('organization', 'create', '--name', name)
  await command('webhook', 'set', '--organization', id, '--url', bench.receiving.url)
  const keys: string[] = []
  const scopes = 'templates:write,invitations:write'
  while (keys.length * requestsPerKey <= requests) {
    const args = ['--organization', id, '--label', 'Bench', '--scopes', scopes]
    const { key } = await command<{ key: string }>('key', 'create', ...args)
    keys.push(key)
  }
  let taken = 0
  return {
    takeKey() {
      const key = keys[taken++ % keys.length]
      if (key === undefined) throw new Error('There are no keys')
      return key
    },
  }
}

async function inviteCandidates(url: string, partner: Partner, count: number): Promise<string[]> {
  const fields = { title: 'Backend engineer', description: 'Services, queues and databases.' }
  const template = await post<{ id: string }>(`${url}/v1/templates`, partner, fields)
  const interviews: string[] = []
  for (let index = 0; index < count; index++) {
    const candidate = { email: `candidate-${index}@example.com`, firstName: 'Ada', lastName: 'Lovelace' }
    const wanted = { templateId: template.id, candidate }
    const { interview } = await post<Invitation>(`${url}/v1/interview-invitations`, partner, wanted)
    interviews.push(interview.id)
  }
  return interviews
}

type Invitation = { interview: { id: string } }

async function post<Answer>(url: string, partner: Partner, body: object): Promise<Answer> {
  for (;;) {
    const headers = { authorization: `Bearer ${partner.takeKey()}`, 'content-type': 'application/json' }
    const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
    const text = await response.text()
    if (response.ok) return JSON.parse(text)
    if (response.status !== 429) throw new Error(`POST ${url} responded with ${response.status}: ${text}`)
    await setTimeout(Number(response.headers.get('retry-after')) * 1000)
  }
}

async function runStatement(url: string, statement: string): Promise<void> {
  const client = new Client(url)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}
