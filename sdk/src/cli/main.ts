#!/usr/bin/env node
import { runCommand } from './commands.ts'

const { status, stdout, stderr } = await runCommand(process.argv.slice(2))
process.stdout.write(stdout)
process.stderr.write(stderr)
process.exitCode = status
