import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { open, readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { serverFlags } from '../support/server-flags.ts'
import type { Environment } from './api-data.ts'
import { atExit } from './at-exit.ts'

export type Server = {
  url: string
  pid: number | undefined
  /** What it has printed so far. */
  output(): Promise<string>
  stop(): Promise<void>
}

/** A version of the service: where its files are, and the Node that runs it. */
export type Checkout = { directory: string; node: string }

const thisCheckout: Checkout = { directory: join(import.meta.dirname, '..'), node: process.execPath }

/** Starts a server in its own process, with its output in a file as in production, and waits until it is ready. */
export async function startServer(
  script: string,
  environment: Environment,
  directory: string,
  checkout = thisCheckout,
): Promise<Server> {
  const port = await freePort()
  const outputFile = join(directory, `${port}.log`)
  const output = await open(outputFile, 'w')
  const server = spawn(checkout.node, [...serverFlags(checkout.directory), script], {
    cwd: checkout.directory,
    env: { PATH: process.env.PATH, NODE_ENV: 'production', PORT: String(port), ...environment },
    stdio: ['ignore', output.fd, 'inherit'],
    // In its own group, so that its child processes can be ended with it.
    detached: true,
  })
  const exited = once(server, 'exit')
  await output.close()
  const emergency = atExit(() => killGroup(server.pid))

  const url = `http://127.0.0.1:${port}`
  const deadline = performance.now() + 60_000
  while (!(await answers(url))) {
    const hasEnded = server.exitCode !== null || server.signalCode !== null
    if (hasEnded || performance.now() > deadline) throw new Error(`${script} did not start: ${checkout.directory}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  return {
    url,
    pid: server.pid,
    output: () => readFile(outputFile, 'utf8'),
    async stop() {
      server.kill()
      // A server that hangs must not block the benchmark.
      const late = setTimeout(() => killGroup(server.pid), 30_000)
      await exited
      clearTimeout(late)
      // After a crash its child processes may be left.
      killGroup(server.pid)
      emergency.cancel()
    },
  }
}

function killGroup(pid: number | undefined): void {
  try {
    if (pid !== undefined) process.kill(-pid, 'SIGKILL')
  } catch {} // has ended
}

export async function freePort(): Promise<number> {
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
