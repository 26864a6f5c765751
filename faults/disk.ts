import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'

/** A small disk in memory. */
export type Disk = { path: string; fill(): void; free(): void; close(): Promise<void> }

/** Null if this process may not mount one. It is unmounted when this process exits, however that happens. */
export async function mountDisk(path: string, megabytes: number): Promise<Disk | null> {
  mkdirSync(path)
  const script = 'mount -t tmpfs -o size="$2" faults "$1" && echo mounted && cat && umount -l "$1"'
  const holder = spawn('sh', ['-c', script, 'sh', path, `${megabytes}m`], {
    // In its own session, so that Ctrl-C in the terminal doesn't end it too early.
    detached: true,
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const gone = once(holder, 'exit')
  const mounted = once(holder.stdout, 'data').then(() => true)
  if (!(await Promise.race([mounted, gone.then(() => false)]))) return null
  holder.unref()

  const ballast = join(path, 'ballast')
  return {
    path,
    fill() {
      const file = openSync(ballast, 'w')
      const page = Buffer.alloc(4_096)
      try {
        for (;;) writeSync(file, page)
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error
      } finally {
        closeSync(file)
      }
    },
    free: () => rmSync(ballast, { force: true }),
    async close() {
      holder.ref()
      holder.stdin.end()
      await gone
    },
  }
}
