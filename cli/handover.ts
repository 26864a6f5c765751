import { chmodSync, rmSync } from 'node:fs'
import { connect, createServer } from 'node:net'
import { join, relative } from 'node:path'
import { text } from 'node:stream/consumers'

export type CommandResult = {
  status: number
  stdout: string
  stderr: string
  /** What to ask whoever sits at the terminal: after a yes the command is run again with --yes. */
  question?: string
}

/** The embedded database belongs to one process; commands given meanwhile are run by it. */
export async function serveCommands(
  directory: string,
  run: (args: string[]) => Promise<CommandResult>,
): Promise<{ close(): Promise<void> }> {
  const path = socketPath(directory)
  // Whoever left it there is gone: this process holds the directory.
  rmSync(path, { force: true })
  const server = createServer({ allowHalfOpen: true }, async (socket) => {
    socket.on('error', () => {})
    try {
      // Read to its end and yet kept open: the answer goes out the same way.
      const args: unknown = JSON.parse(await text(socket.iterator({ destroyOnReturn: false })))
      if (!Array.isArray(args)) throw new Error('Arguments expected')
      socket.end(JSON.stringify(await run(args.map(String))))
    } catch (error) {
      socket.end(JSON.stringify({ status: 1, stdout: '', stderr: `${error}\n` }))
    }
  })
  await new Promise<void>((resolve, reject) => server.once('error', reject).listen(path, resolve))
  if (process.platform !== 'win32') chmodSync(path, 0o600)
  return { close: () => new Promise((resolve) => server.close(() => resolve())) }
}

/** Gives the arguments to the process that has the directory open, and brings back what it says. */
export async function handOver(directory: string, args: string[]): Promise<CommandResult> {
  const socket = connect({ path: socketPath(directory), allowHalfOpen: true })
  socket.end(JSON.stringify(args))
  const answer = await text(socket).catch(() => '')
  if (answer === '') {
    throw new Error(
      `Another process is using ${directory} and does not answer: it is just starting or stopping. Try again.`,
    )
  }
  return JSON.parse(answer)
}

function socketPath(directory: string): string {
  if (process.platform === 'win32')
    return `\\\\.\\pipe\\partner-interview-api-${Buffer.from(directory).toString('hex')}`
  const path = join(directory, 'control.sock')
  // Systems allow only about a hundred bytes here; from the working directory the way is often shorter.
  const short = relative(process.cwd(), path)
  return short.length < path.length ? short : path
}
