#!/usr/bin/env node
import { runCommand } from './commands.ts'

const args = process.argv.slice(2)
const stopping = new AbortController()
// Other commands end with the signal; this one runs until it comes, and then all is well.
if (args[0] === 'listen') for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stopping.abort())

const { status, stdout, stderr } = await runCommand(args, {
  print: (line) => void process.stdout.write(`${line}\n`),
  signal: stopping.signal,
})
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
