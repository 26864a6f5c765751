#!/usr/bin/env node
import { runCommand } from './commands.ts'

const args = process.argv.slice(2)
const stopping = new AbortController()
// Other commands end with the signal; this one runs until it comes, and then all is well.
if (args[0] === 'listen') for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())

process.stdout.on('error', ({ code, message }: NodeJS.ErrnoException) => {
  // Nobody reads the output anymore, as after `| head`.
  if (code === 'EPIPE') return stopping.abort()
  process.stderr.write(`Cannot write the output: ${message}\n`)
  process.exit(1)
})
// There is nowhere left to say so.
process.stderr.on('error', () => {})

const { status, stdout, stderr } = await runCommand(args, {
  print: (line) => void process.stdout.write(`${line}\n`),
  signal: stopping.signal,
})
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
