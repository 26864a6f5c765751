import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import pino from 'pino'
import type { CommandResult } from '../../cli/handover.ts'
import { runCommand } from '../../cli/program.ts'
import { readConfig } from '../../server/config.ts'
import { openServices } from '../../server/services.ts'
import type { Service } from './service.ts'

export type Commands = {
  run(...args: string[]): Promise<CommandResult>
  /** With --json: the object it prints. */
  json<Printed = Record<string, unknown>>(...args: string[]): Promise<Printed>
  /** With --json: what it says when it fails. */
  fault(...args: string[]): Promise<string>
}

/** The command line on a service's own database, without a process of its own. */
export function commandsOf({ database, queue }: Service): Commands {
  const configuration = readConfig('command', { DESTINATION_ALLOW_CIDRS: '127.0.0.0/8' })
  assert.ok(configuration.ok)
  const store = { database, engineToken: null, secretsKey: randomBytes(32), close: async () => {} }
  const opened = openServices(configuration.config, store, pino({ level: 'silent' }))
  // The service's own queue, which is stopped with it: a second one would go on and keep the test from ending.
  const services = { ...opened, queue, completion: { ...opened.completion, queue } }
  const run = (...args: string[]) => runCommand(args, async () => services)
  return {
    run,
    async json(...args) {
      const { status, stdout, stderr } = await run(...args, '--json')
      assert.equal(status, 0, stdout + stderr)
      return JSON.parse(stdout)
    },
    async fault(...args) {
      const { status, stdout } = await run(...args, '--json')
      assert.equal(status, 1)
      return JSON.parse(stdout).error
    },
  }
}
