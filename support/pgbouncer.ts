import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, chown, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { eventually, freePort } from './process.ts'

export type PgBouncer = {
  /** The connection string that leads through it. */
  url: string
  [Symbol.asyncDispose](): Promise<void>
}

/** The version of the installed PgBouncer, for example 1.18, or null. It is not on npm. */
export function installedPgBouncer(): number | null {
  try {
    const version = /PgBouncer (\d+)\.(\d+)/.exec(execFileSync(program(), ['--version'], { encoding: 'utf8' }))
    return version ? Number(version[1]) + Number(version[2]) / 100 : null
  } catch {
    return null
  }
}

/** PGBOUNCER names another one than that in the PATH. */
function program(): string {
  return process.env.PGBOUNCER ?? '/usr/sbin/pgbouncer'
}

/** Starts a PgBouncer in front of a database. */
export async function startPgBouncer(
  databaseUrl: string,
  { poolMode, settings = {} }: { poolMode: 'session' | 'transaction'; settings?: Record<string, string> },
): Promise<PgBouncer> {
  const { hostname, port, username, password, pathname } = new URL(databaseUrl)
  const name = pathname.slice(1)
  const folder = await mkdtemp(join(tmpdir(), 'pgbouncer-'))
  const ownPort = await freePort()
  const configuration = {
    listen_addr: '127.0.0.1',
    listen_port: String(ownPort),
    unix_socket_dir: '',
    auth_type: 'plain',
    auth_file: join(folder, 'users.txt'),
    pool_mode: poolMode,
    max_client_conn: '200',
    default_pool_size: '40',
    ...settings,
  }
  const lines = Object.entries(configuration).map(([key, value]) => `${key} = ${value}`)
  const file = join(folder, 'pgbouncer.ini')
  await writeFile(file, `[databases]\n${name} = host=${hostname} port=${port}\n[pgbouncer]\n${lines.join('\n')}\n`)
  await writeFile(configuration.auth_file, `"${username}" "${password}"\n`)
  // It refuses to run as root.
  const account = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : null
  if (account) {
    for (const path of [folder, file, configuration.auth_file]) await chown(path, account.uid, account.gid)
    await chmod(folder, 0o700)
  }
  const child: ChildProcess = spawn(program(), ['--quiet', file], { cwd: '/', stdio: 'ignore', ...account })
  await once(child, 'spawn')
  const exit = once(child, 'exit')
  if (!(await eventually(() => accepts(ownPort)))) throw new Error('PgBouncer did not start')
  const url = new URL(databaseUrl)
  url.port = String(ownPort)
  return {
    url: url.href,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL')
      await exit
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy()
      resolve(true)
    })
    socket.on('error', () => resolve(false))
  })
}
