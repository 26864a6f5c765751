/**
 * Kills the processes a test has left running once the test process has exited, however that happened. The test process
 * controls this one through its standard input: `+4711` adds a process, `-4711` removes it, and when input ends, the rest
 * are killed.
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
    // It has just exited.
  }
}
