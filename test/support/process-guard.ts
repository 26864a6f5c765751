/**
 * Ends the processes a test has left running once the test process is gone, however it went. That process holds this one by
 * its standard input: a line `+4711` puts a process under guard, `-4711` lets it go, and the end of input ends the rest.
 */
import { createInterface } from 'node:readline'

const guarded = new Set<number>()
for await (const line of createInterface({ input: process.stdin })) {
  const pid = Number(line.slice(1))
  if (line.startsWith('+')) guarded.add(pid)
  else guarded.delete(pid)
}
for (const pid of guarded) {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself a moment ago.
  }
}
