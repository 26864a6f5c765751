import { spawn } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { handOver } from '../cli/handover.ts'

export type Service = {
  url: string
  /** Runs a command in the service, as partner-interview-admin does, and returns its output. */
  command(args: string[]): Promise<string>
}

/** Starts the real service with its embedded database in its own process. It is killed at the end of the demo. */
export async function startService(
  folder: string,
  environment: Record<string, string>,
  leftovers: AsyncDisposableStack,
): Promise<Service> {
  const directory = join(folder, 'data')
  mkdirSync(directory)
  const port = await freePort()
  const child = spawn(process.execPath, [join(import.meta.dirname, '..', 'server', 'main.ts')], {
    cwd: folder,
    env: { ...inherited(), DATA_DIR: directory, PORT: String(port), LOG_LEVEL: 'warn', ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let printed = ''
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
  }
  const ended = new Promise<void>((resolve) => child.once('close', () => resolve()))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  leftovers.defer(async () => {
    // All its data is deleted, so a clean shutdown isn't needed.
    child.kill('SIGKILL')
    await ended
  })

  const url = `http://127.0.0.1:${port}`
  while (!(await isReady(url))) {
    if (!isRunning()) throw new Error(`the service did not start.\n${printed}`)
    await setTimeout(50)
  }
  return {
    url,
    async command(args) {
      const { status, stdout, stderr } = await handOver(directory, args)
      if (status !== 0) throw new Error(`the command failed: ${args.join(' ')}\n${stdout}${stderr}`)
      return stdout
    },
  }
}

/** Settings of the user's own service must not reach this one. */
function inherited(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'TEMP', 'SystemRoot', 'LD_LIBRARY_PATH', 'NODE_COMPILE_CACHE']
  return Object.fromEntries(names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : [])))
}

async function isReady(url: string): Promise<boolean> {
  const response = await fetch(`${url}/readyz`).catch(() => null)
  await response?.body?.cancel()
  return response?.ok ?? false
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      server.close(() => resolve(port))
    })
  })
}
