import { setTimeout } from 'node:timers/promises'
import pino from 'pino'
import sql from 'sql-template-tag'
import { runCommand } from '../cli/program.ts'
import { readConfig } from '../server/config.ts'
import { openPostgres } from '../server/database/database.ts'
import { openServices, type Services } from '../server/services.ts'
import type { PostgresServer } from '../support/postgres.ts'
import type { Environment } from '../support/process.ts'
import type { Faults } from './injection.ts'
import { loopbackGuard, type Partner } from './partners.ts'
import type { Site, SiteOptions } from './site.ts'
import { type Supervised, supervise } from './supervised.ts'
import { startProxy, type UnreliableProxy } from './unreliable-proxy.ts'
import { type Interception, sqsIdentity, type UnreliableSqs } from './unreliable-sqs.ts'

/** Several servers of every role on one PostgreSQL, which they reach through an unreliable proxy. Their queue may be on SQS. */
export async function openFleet(
  options: SiteOptions & {
    postgres: PostgresServer
    databaseUrl: string
    partners: Partner[]
    /** How many servers of each role. */
    size: Record<'api' | 'worker' | 'api,worker', number>
    /** PROCESSES of the servers with all roles. */
    processes: number
    /** Null: the queue is in PostgreSQL. */
    sqs: UnreliableSqs | null
  },
): Promise<Site> {
  const { postgres, databaseUrl, folder, nameServer, reportProblem, over, partners, size, sqs } = options
  const proxy = await startProxy(Number(new URL(databaseUrl).port))
  const environment = { ...options.environment, ...sqs?.environment, DATABASE_URL: withPort(databaseUrl, proxy.port) }
  const roles = Object.entries(size).flatMap(([role, count]) => Array.from({ length: count }, () => role))
  const servers = await Promise.all(
    roles.map((role, index) => {
      const name = `${role.replace(',', '-')}-${index + 1}`
      return supervise({
        name,
        environment: {
          ...environment,
          ...sqsIdentity(name),
          ROLES: role,
          PROCESSES: role === 'api,worker' ? String(options.processes) : '1',
        },
        nameServer,
        folder,
        reportProblem,
        over,
      })
    }),
  )
  const services = openCommandServices({ ...options.environment, ...sqs?.environment, DATABASE_URL: databaseUrl })
  return {
    name: sqs ? 'SQS' : 'PostgreSQL',
    partners,
    servers,
    urls: servers.filter((_, index) => roles[index]?.includes('api')).map(({ url }) => url),
    command: (args) => runCommand(args, async () => services),
    disturbances: [],
    over,
    faults: [
      ...databaseFaults(postgres, proxy, databaseUrl),
      ...(sqs ? [...sqs.faults, ...crashesAround(sqs, servers)] : []),
    ],
    async inspect(work) {
      const database = openPostgres({ url: databaseUrl, connections: 1 })
      return work(database).finally(() => database.close())
    },
    async close() {
      await services.close()
      await Promise.all(servers.map((server) => server.stop()))
      await proxy.close()
    },
  }
}

/** The command line's services in this process, without the proxy. A process per command would take a second each. */
function openCommandServices(environment: Environment): Services {
  const configuration = readConfig('command', environment)
  if (!configuration.ok) throw new Error(configuration.faults.join('; '))
  const { config } = configuration
  if (config.store.engine !== 'postgres') throw new Error('The fleet needs PostgreSQL')
  const database = openPostgres({ url: config.store.url, connections: 2 })
  const { engineToken, secretsKey } = config
  const store = { database, engineToken, secretsKey, close: () => database.close() }
  const services = openServices(config, store, pino({ level: 'silent' }))
  return { ...services, guard: loopbackGuard() }
}

function withPort(address: string, port: number): string {
  const url = new URL(address)
  url.port = String(port)
  return url.href
}

/** Each undoes itself before it ends, and only one is active at a time. */
function databaseFaults(postgres: PostgresServer, proxy: UnreliableProxy, databaseUrl: string): Faults {
  return [
    [
      'PostgreSQL is stopped and started',
      async (random) => {
        await postgres.stop('fast')
        await setTimeout(random.between(0, 3_000))
        await postgres.start()
      },
    ],
    [
      'PostgreSQL crashes',
      async (random) => {
        await postgres.stop('immediate')
        await setTimeout(random.between(0, 3_000))
        await postgres.start()
      },
    ],
    [
      'PostgreSQL freezes',
      async (random) => {
        const running = await backends(databaseUrl)
        signal(running, 'SIGSTOP')
        await setTimeout(random.between(200, 3_000))
        signal(running, 'SIGCONT')
      },
    ],
    ['the connections to PostgreSQL break', async () => proxy.cut()],
    [
      'the network to PostgreSQL is slow',
      async (random) => {
        proxy.delay(random.between(20, 150))
        await setTimeout(random.between(1_000, 4_000))
        proxy.delay(0)
      },
    ],
    [
      'the network to PostgreSQL drops everything',
      async (random) => {
        const over = proxy.silence()
        await setTimeout(random.between(500, 7_000))
        over()
      },
    ],
  ]
}

const crashes: readonly [string, Interception][] = [
  ['a server crashes between commit and send', { action: 'SendMessageBatch', moment: 'before' }],
  ['a server crashes before SQS has confirmed a send', { action: 'SendMessageBatch', moment: 'after' }],
  ['a server crashes between receive and claim', { action: 'ReceiveMessage', moment: 'after' }],
  ['a server crashes between settle and delete', { action: 'DeleteMessageBatch', moment: 'before' }],
]

/** Kills whichever server makes the request next. */
function crashesAround(sqs: UnreliableSqs, servers: readonly Supervised[]): Faults {
  return crashes.map(([name, interception]) => [
    name,
    async () => {
      const caught = await sqs.intercept(interception, 8_000)
      const server = servers.find(({ name }) => name === caught)
      await server?.crash()
      await server?.up()
    },
  ])
}

async function backends(databaseUrl: string): Promise<number[]> {
  const database = openPostgres({ url: databaseUrl, connections: 1 })
  const rows = await database.query<{ pid: number }>(sql`
    select pid from pg_stat_activity
    where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`)
  await database.close()
  return rows.map(({ pid }) => pid)
}

function signal(processes: number[], name: 'SIGSTOP' | 'SIGCONT'): void {
  for (const pid of processes) {
    try {
      process.kill(pid, name)
    } catch {
      // Its connection has just ended.
    }
  }
}
