import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import type { Environment } from './api-data.ts'

export type Server = { url: string; pid: number | undefined; stop(): Promise<void> }

/** A server in a process of its own, its output in a file as in production. Ready when this returns. */
export async function startServer(script: string, environment: Environment, directory: string): Promise<Server> {
  const port = await freePort()
  const output = await open(join(directory, `${port}.log`), 'w')
  const server = spawn(process.execPath, [script], {
    cwd: join(import.meta.dirname, '..'),
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...environment },
    stdio: ['ignore', output.fd, 'inherit'],
  })
  await output.close()
  const stopWithUs = () => server.kill()
  process.once('exit', stopWithUs)

  const url = `http://127.0.0.1:${port}`
  while (!(await answers(url))) {
    if (server.exitCode !== null) throw new Error(`${script} did not start`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    pid: server.pid,
    async stop() {
      process.off('exit', stopWithUs)
      if (server.exitCode !== null) return
      server.kill()
      await once(server, 'exit')
    },
  }
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, '127.0.0.1')
  await once(probe, 'listening')
  const address = probe.address()
  probe.close()
  if (address === null || typeof address === 'string') throw new Error('There is no free port')
  return address.port
}

async function answers(url: string): Promise<boolean> {
  return fetch(`${url}/readyz`).then(
    (response) => response.ok,
    () => false,
  )
}
