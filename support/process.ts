import { ChildProcess, spawn } from 'node:child_process'
import { randomBytes, randomInt } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { serverFlags } from './server-flags.ts'

export type Environment = Record<string, string>

export type ExitResult = { status: number | null; signal: NodeJS.Signals | null; stdout: string; stderr: string }

export type ServerProcess = {
  pid: number | undefined
  url: string
  port: number
  /** From the start of the process to its first 200 on /readyz. */
  millisecondsToReady: number
  stdout(): string
  stderr(): string
  /** Waits until standard output contains a text. Log lines arrive some time after the event they report. */
  printed(text: string | RegExp): Promise<void>
  signal(name: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): void
  /** Resolves when the process has exited. */
  ended: Promise<ExitResult>
  /** Sends SIGTERM and waits for the process to exit. */
  stop(): Promise<ExitResult>
  /** Sends SIGKILL and waits for the process to exit. */
  kill(): Promise<void>
  [Symbol.asyncDispose](): Promise<void>
}

const root = join(import.meta.dirname, '..')

/** Starts the real server in its own process and waits until it is ready. It never outlives the test. */
export async function startServer(environment: Environment, script = 'server/main.ts'): Promise<ServerProcess> {
  for (let attempt = 1; ; attempt += 1) {
    const port = environment.PORT === undefined ? likelyFreePort() : Number(environment.PORT)
    const server = await launchServer(script, { ...environment, PORT: String(port) }, port)
    if ('url' in server) return server
    const taken = environment.PORT === undefined && server.stderr.includes('is taken by another program')
    if (!taken || attempt === 5) throw new Error(`The server ended with ${server.status}:\n${server.stderr}`)
  }
}

const serverCommand = (script: string) => [...serverFlags(root), script]

async function launchServer(
  script: string,
  environment: Environment,
  port: number,
): Promise<ServerProcess | ExitResult> {
  const started = performance.now()
  const running = launch(serverCommand(script), environment)
  const url = `http://127.0.0.1:${port}`
  const ready = await untilReady(url, running.isRunning)
  if (!running.isRunning()) return running.ended
  if (!ready) {
    running.child.kill('SIGKILL')
    throw new Error(`The server was not ready in time:\n${running.stdout()}\n${running.stderr()}`)
  }
  // A failing test may leave its server running and must still be able to exit. The guard then kills the server.
  running.hold(false)
  const signal = (name: NodeJS.Signals) => {
    running.hold(true)
    running.child.kill(name)
  }
  const kill = async () => {
    signal('SIGKILL')
    await running.ended
  }
  return {
    pid: running.child.pid,
    url,
    port,
    millisecondsToReady: performance.now() - started,
    stdout: running.stdout,
    stderr: running.stderr,
    async printed(text) {
      const found = () => (typeof text === 'string' ? running.stdout().includes(text) : text.test(running.stdout()))
      const inTime = await eventually(async () => found() || !running.isRunning())
      if (!inTime || !found()) throw new Error(`Not printed: ${text}\n${running.stdout()}`)
    },
    signal,
    ended: running.ended,
    stop() {
      signal('SIGTERM')
      return running.ended
    },
    kill,
    [Symbol.asyncDispose]: kill,
  }
}

/** Runs a server that is expected not to start, or that gets SIGTERM as soon as it has printed `stopAt`. */
export function runServer(environment: Environment, { stopAt }: { stopAt?: string } = {}): Promise<ExitResult> {
  const running = launch(serverCommand('server/main.ts'), { PORT: String(likelyFreePort()), ...environment })
  const stop = () => {
    if (stopAt === undefined || !running.stdout().includes(stopAt)) return
    running.child.stdout.off('data', stop)
    running.child.kill('SIGTERM')
  }
  running.child.stdout.on('data', stop)
  return endedInTime(running)
}

/** Runs one command of the real command line. */
export function runCli(args: string[], environment: Environment, script = 'cli/main.ts'): Promise<ExitResult> {
  return endedInTime(launch([script, ...args], environment))
}

export type RunningCommand = {
  stdout(): string
  /** Waits until standard output contains a text. */
  printed(text: string | RegExp): Promise<void>
  /** Ends it as Ctrl-C does. */
  interrupt(): Promise<ExitResult>
  ended: Promise<ExitResult>
  [Symbol.asyncDispose](): Promise<void>
}

/** Starts a program that runs until it is stopped. The first argument is its file. */
export function startCommand(args: string[], environment: Environment = {}): RunningCommand {
  const { child, ended, isRunning, stdout, stderr } = launch(args, environment)
  const stop = async (signal: NodeJS.Signals) => {
    if (isRunning()) child.kill(signal)
    return ended
  }
  return {
    stdout,
    async printed(text) {
      const found = () => (typeof text === 'string' ? stdout().includes(text) : text.test(stdout()))
      await eventually(async () => found() || !isRunning())
      if (!found()) throw new Error(`Not printed: ${text}\n${stdout()}\n${stderr()}`)
    },
    interrupt: () => stop('SIGINT'),
    ended,
    async [Symbol.asyncDispose]() {
      await stop('SIGKILL')
    },
  }
}

/** Runs one command with --json and returns the object it printed. */
export async function cli(args: string[], environment: Environment): Promise<Record<string, unknown>> {
  const { status, stdout, stderr } = await runCli([...args, '--json'], environment)
  if (status !== 0) throw new Error(`The command ended with ${status}: ${stdout}${stderr}`)
  return JSON.parse(stdout)
}

export type Folder = { path: string; [Symbol.asyncDispose](): Promise<void> }

/** An empty folder that is deleted with the test. */
export async function temporaryFolder(): Promise<Folder> {
  const path = await mkdtemp(join(tmpdir(), 'process-test-'))
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true, maxRetries: 20 }) }
}

/** The settings a server on PostgreSQL requires. */
export function postgresEnvironment(databaseUrl: string): Environment {
  return {
    DATABASE_URL: databaseUrl,
    ENGINE_TOKEN: randomBytes(32).toString('hex'),
    SECRETS_KEY: randomBytes(32).toString('base64'),
  }
}

/** Kills a process that does not exit in time, which shows in its status. */
async function endedInTime({ child, ended }: ReturnType<typeof launch>): Promise<ExitResult> {
  const timer = globalThis.setTimeout(() => child.kill('SIGKILL'), patience)
  return ended.finally(() => clearTimeout(timer))
}

// Long enough for a busy machine. Only a failing test ever waits this long.
const patience = 5 * 60_000

/** Polls until the condition holds. Gives up only after so long that a slow machine can't be the reason. */
export async function eventually(holds: () => Promise<boolean>): Promise<boolean> {
  const deadline = performance.now() + patience
  while (performance.now() < deadline) {
    if (await holds()) return true
    await setTimeout(20)
  }
  return false
}

function launch(args: string[], environment: Environment) {
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...cleanEnvironment(), ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    windowsHide: true,
  })
  const release = guard(child)
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  const ended = new Promise<ExitResult>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (status, signal) => {
      release()
      resolve({ status, signal, stdout, stderr })
    })
  })
  const isRunning = () => child.exitCode === null && child.signalCode === null
  /** Whether this process stays alive as long as the child does. */
  const hold = (held: boolean) => {
    for (const handle of [child, child.stdout, child.stderr]) {
      if (!(handle instanceof ChildProcess || handle instanceof Socket)) continue
      if (held) handle.ref()
      else handle.unref()
    }
  }
  return { child, ended, isRunning, hold, stdout: () => stdout, stderr: () => stderr }
}

/** The developer's own settings must not reach the server under test. */
function cleanEnvironment(): NodeJS.ProcessEnv {
  const names = ['PATH', 'HOME', 'TMPDIR', 'SystemRoot']
  const inherited = names.flatMap((name) => (process.env[name] ? [[name, process.env[name]]] : []))
  // The same files start again and again. Compiled once, they start in half the time.
  return { ...Object.fromEntries(inherited), NODE_COMPILE_CACHE: join(root, 'node_modules', '.cache', 'compiled') }
}

const givenPorts = new Set<number>()

/** Below the ephemeral range, so it stays free until a server takes it, and between restarts. Never the same one twice. */
export function likelyFreePort(): number {
  const port = randomInt(16_384, 32_768)
  if (givenPorts.has(port)) return likelyFreePort()
  givenPorts.add(port)
  return port
}

/** A port like that which is free right now, for servers that restart on the same port. */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = likelyFreePort()
    const server = createServer()
    const taken = await new Promise((resolve) => {
      server.once('error', () => resolve(true)).listen(port, '127.0.0.1', () => server.close(() => resolve(false)))
    })
    if (!taken) return port
  }
}

async function untilReady(url: string, isRunning: () => boolean): Promise<boolean> {
  let ready = false
  await eventually(async () => {
    const response = await fetch(`${url}/readyz`).catch(() => null)
    await response?.body?.cancel()
    ready = response?.status === 200
    return ready || !isRunning()
  })
  return ready
}

let guardProcess: ChildProcess | undefined

function guard(child: ChildProcess): () => void {
  guardProcess ??= startGuard()
  guardProcess.stdin?.write(`+${child.pid}\n`)
  return () => void guardProcess?.stdin?.write(`-${child.pid}\n`)
}

function startGuard(): ChildProcess {
  const started = spawn(process.execPath, [join(import.meta.dirname, 'process-guard.ts')], {
    // In its own session, so that Ctrl-C in the terminal doesn't kill it.
    detached: true,
    stdio: ['pipe', 'ignore', 'inherit'],
    env: cleanEnvironment(),
    windowsHide: true,
  })
  // It must not keep the test process alive: it waits for that process to exit.
  started.unref()
  if (started.stdin instanceof Socket) started.stdin.unref()
  return started
}
