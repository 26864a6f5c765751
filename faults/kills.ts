import { setTimeout } from 'node:timers/promises'
import type { Random } from '../support/random.ts'
import type { Supervised } from './supervised.ts'

export type Killing = {
  kills(): number
  /** Resolves when all kills are done, or when it is stopped. */
  done: Promise<void>
  stop(): void
}

/** Kills servers at random times, sometimes all at once, and restarts some cleanly. */
export function startKilling(options: {
  random: Random
  servers: readonly Supervised[]
  kills: number
  say: (what: string) => void
  over: AbortController
}): Killing {
  const { random, servers, say, over } = options
  let kills = 0
  let stopped = false

  const kill = async (server: Supervised) => {
    await server.up()
    await setTimeout(random.between(0, 1_500))
    if (stopped || over.signal.aborted || kills >= options.kills) return
    kills++
    say(`${server.name} is killed`)
    await server.kill(random)
  }
  const work = async () => {
    while (!stopped && !over.signal.aborted && kills < options.kills) {
      const victim = random.pick(servers)
      const choice = random.between(1, 100)
      if (choice <= 3) await Promise.all(servers.map(kill))
      else if (choice <= 85) await kill(victim)
      else {
        say(`${victim.name} is restarted`)
        await victim.up()
        victim.restart()
      }
      await setTimeout(random.between(0, 600))
    }
  }
  return {
    kills: () => kills,
    done: work().catch((error) => over.abort(error)),
    stop() {
      stopped = true
    },
  }
}
