import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'

export type CommandResult = {
  status: number
  stdout: string
  stderr: string
  /** A question for the person at the terminal. After a yes, the command runs again with --yes. */
  question?: string
}

/** The embedded database belongs to one process, which also runs the commands given in the meantime. */
export async function serveCommands(
  directory: string,
  run: (args: string[]) => Promise<CommandResult>,
  { patienceMilliseconds = 5_000 } = {},
): Promise<{ close(): Promise<void> }> {
  const path = socketPath(directory)
  // A leftover: this process has locked the directory.
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on('error', () => {})
    // A client that sends nothing, or doesn't read its result, must not hold up the shutdown.
    socket.setTimeout(patienceMilliseconds, () => socket.destroy())
    try {
      // Keeps the socket open after reading: the response uses it too.
      const args: unknown = JSON.parse(await text(socket.iterator({ destroyOnReturn: false })))
      if (!Array.isArray(args)) throw new Error('Arguments expected')
      socket.setTimeout(0)
      socket.end(JSON.stringify(await run(args.map(String))))
    } catch (error) {
      socket.end(JSON.stringify({ status: 1, stdout: '', stderr: `${error}\n` }))
    } finally {
      socket.setTimeout(patienceMilliseconds)
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Passes the arguments to the process that has the directory open, and returns its result. */
export async function handOver(directory: string, args: string[]): Promise<CommandResult> {
  const socket = connect({ path: socketPath(directory), allowHalfOpen: true })
  socket.end(JSON.stringify(args))
  const answer = await text(socket).catch(() => '')
  if (answer === '') {
    throw new Error(
      `Another process is using ${directory} but doesn't respond. It may be starting or stopping. Try again.`,
    )
  }
  return JSON.parse(answer)
}

function socketPath(directory: string): string {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\partner-interview-api-${Buffer.from(directory).toString('hex')}`
  const path = join(directory, 'control.sock')
  // Systems allow only about a hundred bytes here. A relative path is often shorter.
  const short = relative(process.cwd(), path)
  return short.length < path.length ? short : path
}
