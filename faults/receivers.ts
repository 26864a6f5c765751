import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, openSync, readSync } from 'node:fs'
import { join } from 'node:path'
import type { Authority } from '../support/tls.ts'
import type { Behavior, Order, Received, Start } from './receiver.ts'

export type Receiver = {
  port: number
  url: string
  secret: string
  start(): Promise<void>
  kill(): Promise<void>
  behave(behavior: Behavior): void
  /** From now on it also accepts this secret. */
  trust(secret: string): void
  /** Everything in its log so far, in order. */
  received(): Received[]
}

export const healthy: Behavior = { name: 'responds', status: 200, after: 0 }

/** A receiver whose URL stays the same across restarts. Not started yet. */
export function createReceiver({
  name,
  port,
  authority,
  folder,
}: {
  name: string
  port: number
  authority: Authority
  folder: string
}): Receiver {
  const hostname = `${name}.receivers.test`
  const certificate = authority.issue({ names: [hostname] })
  const secret = `whsec_of_the_receiver_${name}`
  const log = join(folder, `receiver-${name}.jsonl`)
  const read = createLogReader(log)
  const secrets = [secret]
  let behavior = healthy
  let running: ChildProcess | null = null
  const order = (order: Order) => {
    if (running?.connected) running.send(order, () => {})
  }

  return {
    port,
    url: `https://${hostname}:${port}/events`,
    secret,
    async start() {
      const child = fork(join(import.meta.dirname, 'receiver.ts'))
      running = child
      const start: Start = { port, ...certificate, secrets, log, behavior }
      child.send(start)
      const [reason] = await Promise.race([once(child, 'message'), once(child, 'exit')])
      if (reason !== 'ready') throw new Error(`The receiver ${name} did not start: port ${port} may be taken`)
    },
    async kill() {
      if (!running || running.exitCode !== null || running.signalCode !== null) return
      const gone = once(running, 'exit')
      running.kill('SIGKILL')
      await gone
    },
    behave(next) {
      behavior = next
      order({ behavior })
    },
    trust(secret) {
      if (secrets.includes(secret)) return
      secrets.push(secret)
      order({ secret })
    },
    received: read,
  }
}

/** Reads what is new in the log, and returns everything so far. An incomplete line waits for its end. */
function createLogReader(file: string): () => Received[] {
  closeSync(openSync(file, 'a'))
  const descriptor = openSync(file, 'r')
  const chunk = Buffer.alloc(65_536)
  const lines: Received[] = []
  let rest = ''
  return () => {
    for (let length = readSync(descriptor, chunk); length > 0; length = readSync(descriptor, chunk)) {
      const parts = (rest + chunk.toString('latin1', 0, length)).split('\n')
      rest = parts.pop() ?? ''
      lines.push(...parts.map((line): Received => JSON.parse(line)))
    }
    return lines
  }
}
