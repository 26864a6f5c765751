import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { Socket } from 'node:net'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { Client } from 'pg'
import type { Answer, Command } from './postgres-sentinel.ts'

export type PostgresServer = {
  /** connection string of the maintenance database */
  url: string
  /** makes an empty database and gives its connection string */
  createDatabase(): Promise<string>
  /** makes a copy of one that nobody is connected to, all of it on the disk */
  copyDatabase(url: string): Promise<string>
  /** removes it, whoever is still connected */
  dropDatabase(url: string): Promise<void>
  /** stops the server in an orderly way ('fast') or as a crash would ('immediate'); the data stays */
  stop(mode?: 'fast' | 'immediate'): Promise<void>
  /** starts it again on the same port and data */
  start(): Promise<void>
  /** stops it and removes everything */
  close(): Promise<void>
}

/** A server of the caller's own. It is gone soon after this process is, in whatever way that ends; `durable` keeps fsync on. */
export async function startPostgres({ durable = false }: { durable?: boolean } = {}): Promise<PostgresServer> {
  const sentinel = holdSentinel({ durable })
  try {
    const url = await sentinel.ask('start')
    return {
      url,
      createDatabase: () => createDatabase(url),
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

/** The server of the whole test run, or, for a test file run alone, one that lives as long as this process. Nobody may stop it. */
export async function sharedPostgres(): Promise<PostgresServer> {
  const url = process.env.TEST_POSTGRES_URL ?? (await ownServer()).url
  const refuse = async () => {
    throw new Error('The shared PostgreSQL cannot be stopped or started: take one of your own with startPostgres()')
  }
  return {
    url,
    createDatabase: () => createDatabase(url),
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

// template1 may be in use by somebody; template0 admits nobody, so databases can be made side by side.
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

function holdSentinel({ durable }: { durable: boolean }) {
  const script = join(import.meta.dirname, 'postgres-sentinel.ts')
  const sentinel = spawn(process.execPath, [script, ...(durable ? ['durable'] : [])], {
    // In a session of its own, so that Ctrl-C in the terminal does not reach it before it has cleaned up.
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: undefined, NODE_V8_COVERAGE: undefined },
    windowsHide: true,
  })
  const gone = new Promise<void>((resolve) => sentinel.once('exit', () => resolve()))
  const answers = createInterface({ input: sentinel.stdout })[Symbol.asyncIterator]()
  sentinel.stdin.on('error', () => {}) // shows as the end of the answers

  // A test that forgets to close its server must still be able to end.
  sentinel.unref()
  if (sentinel.stdout instanceof Socket) sentinel.stdout.unref()

  return {
    async ask(command: Command): Promise<string> {
      sentinel.stdin.write(`${command}\n`)
      const line = await within(60_000, answers.next())
      if (line.done) throw new Error('PostgreSQL and the process that keeps it are gone')
      const answer: Answer = JSON.parse(line.value)
      if ('error' in answer) throw new Error(answer.error)
      return answer.url
    },
    async release() {
      sentinel.ref()
      sentinel.stdin.end()
      await gone
    },
  }
}

// The timer is also what keeps this process alive while it waits.
async function within<T>(milliseconds: number, answer: Promise<T>): Promise<T> {
  const late = Promise.withResolvers<never>()
  const timer = setTimeout(
    () => late.reject(new Error(`PostgreSQL did not answer within ${milliseconds} ms`)),
    milliseconds,
  )
  try {
    return await Promise.race([answer, late.promise])
  } finally {
    clearTimeout(timer)
  }
}
