import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import type { Command, Reply } from './postgres-sentinel.ts'

export type PostgresServer = {
  /** Connection string of the maintenance database. */
  url: string
  /** Creates an empty database, or a copy of a template without connections, and returns its connection string. */
  createDatabase(template?: string): Promise<string>
  /** Copies a database without connections, and flushes the copy to disk. */
  copyDatabase(url: string): Promise<string>
  /** Drops a database even if it has connections. */
  dropDatabase(url: string): Promise<void>
  /** Stops the server cleanly ('fast') or like a crash ('immediate'). The data stays. */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** Starts it again with the same port and data. */
  start(): Promise<void>
  /** Stops it and removes everything. */
  close(): Promise<void>
}

export type PostgresOptions = {
  /** Keeps fsync on. */
  durable?: boolean
  /** The bin folder of a PostgreSQL to use instead of the one from npm. */
  binaries?: string
}

/** Starts a server for the caller alone. It stops soon after this process exits, however that happens. */
export async function startPostgres(options: PostgresOptions = {}): Promise<PostgresServer> {
  const sentinel = startSentinel(options)
  try {
    const { url } = await sentinel.ask('start')
    return {
      url,
      createDatabase: (template) => createDatabase(url, template),
      copyDatabase: (database) => copyDatabase(url, database),
      dropDatabase: (database) => dropDatabase(url, database),
      stop: async (mode = 'fast') => {
        await sentinel.ask(`stop ${mode}`)
      },
      start: async () => {
        await sentinel.ask('start')
      },
      close: sentinel.release,
    }
  } catch (error) {
    await sentinel.release()
    throw error
  }
}

let serverOfThisProcess: Promise<PostgresServer> | undefined

/** The test run's server; for a test file run on its own, one that lives as long as this process. It can't be stopped. */
export async function sharedPostgres(): Promise<PostgresServer> {
  const url = process.env.TEST_POSTGRES_URL ?? (await ownServer()).url
  const refuse = async () => {
    throw new Error('The shared PostgreSQL cannot be stopped or started. Use startPostgres() for your own.')
  }
  return {
    url,
    createDatabase: (template) => createDatabase(url, template),
    copyDatabase: (database) => copyDatabase(url, database),
    dropDatabase: (database) => dropDatabase(url, database),
    stop: refuse,
    start: refuse,
    close: async () => {},
  }
}

function ownServer(): Promise<PostgresServer> {
  serverOfThisProcess ??= startPostgres()
  return serverOfThisProcess
}

// template1 may have connections, template0 can't, so databases can be created in parallel.
async function createDatabase(serverUrl: string, template = 'template0'): Promise<string> {
  const name = `test_${randomBytes(8).toString('hex')}`
  await maintain(serverUrl, `create database ${name} template "${template}"`)
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}

async function copyDatabase(serverUrl: string, databaseUrl: string): Promise<string> {
  const copy = await createDatabase(serverUrl, nameOf(databaseUrl))
  await maintain(serverUrl, 'checkpoint')
  return copy
}

async function dropDatabase(serverUrl: string, databaseUrl: string): Promise<void> {
  await maintain(serverUrl, `drop database "${nameOf(databaseUrl)}" with (force)`)
}

function nameOf(databaseUrl: string): string {
  return new URL(databaseUrl).pathname.slice(1)
}

async function maintain(serverUrl: string, statement: string): Promise<void> {
  const client = new Client(serverUrl)
  try {
    await client.connect()
    await client.query(statement)
  } finally {
    await client.end()
  }
}

export type Sentinel = ReturnType<typeof startSentinel>

/** Starts the process that owns a server, without the server. */
export function startSentinel({ durable, binaries }: PostgresOptions) {
  const script = join(import.meta.dirname, 'postgres-sentinel.ts')
  const sentinel = spawn(process.execPath, [script, ...(durable ? ['durable'] : [])], {
    // In its own session, so that Ctrl-C in the terminal doesn't kill it before it has cleaned up.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...(binaries !== undefined && { POSTGRES_BINARIES: binaries }),
      NODE_OPTIONS: undefined,
      NODE_V8_COVERAGE: undefined,
    },
    windowsHide: true,
  })
  const gone = new Promise<void>((resolve) => sentinel.once('exit', () => resolve()))
  const replies = createInterface({ input: sentinel.stdout })[Symbol.asyncIterator]()
  sentinel.stdin.on('error', () => {}) // ends the replies

  // A test that forgets to close its server must still be able to end.
  sentinel.unref()
  if (sentinel.stdout instanceof Socket) sentinel.stdout.unref()

  return {
    async ask(command: Command): Promise<{ url: string; data: string }> {
      sentinel.stdin.write(`${command}\n`)
      const line = await within(5 * 60_000, replies.next())
      if (line.done) throw new Error('PostgreSQL and its sentinel process have exited')
      const reply: Reply = JSON.parse(line.value)
      if ('error' in reply) throw new Error(reply.error)
      return reply
    },
    async release() {
      sentinel.ref()
      sentinel.stdin.end()
      await gone
    },
  }
}

// The timer also keeps this process alive while it waits.
async function within<T>(milliseconds: number, reply: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`PostgreSQL did not reply within ${milliseconds} ms`)),
    milliseconds,
  )
  try {
    return await Promise.race([reply, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
