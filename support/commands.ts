import assert from 'node:assert/strict'
import pino from 'pino'
import type { CommandResult } from '../cli/handover.ts'
import { runCommand } from '../cli/program.ts'
import { readConfig } from '../server/config.ts'
import { openServices } from '../server/services.ts'
import type { Service } from './service.ts'

export type Commands = {
  run(...args: string[]): Promise<CommandResult>
  /** Runs a command with --json and returns the object it prints. */
  json<Printed = Record<string, unknown>>(...args: string[]): Promise<Printed>
  /** Runs a command with --json that must fail, and returns its error text. */
  error(...args: string[]): Promise<string>
}

/** The command line on a service's database, in this process. */
export function commandsOf({ database, queue, secretsKey }: Service): Commands {
  const configuration = readConfig('command', { DESTINATION_ALLOW_CIDRS: '127.0.0.0/8' })
  assert.ok(configuration.ok)
  const store = { database, engineToken: null, secretsKey, close: async () => {} }
  const opened = openServices(configuration.config, store, pino({ level: 'silent' }))
  // Reuses the service's queue, which stops with it. A second queue would keep the test process alive.
  const services = { ...opened, queue, completion: { ...opened.completion, queue } }
  const run = (...args: string[]) => runCommand(args, async () => services)
  return {
    run,
    async json(...args) {
      const { status, stdout, stderr } = await run(...args, '--json')
      assert.equal(status, 0, stdout + stderr)
      return JSON.parse(stdout)
    },
    async error(...args) {
      const { status, stdout } = await run(...args, '--json')
      assert.equal(status, 1)
      return JSON.parse(stdout).error
    },
  }
}
