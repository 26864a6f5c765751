import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Terminal = {
  /** Types these lines and waits for their end: what they wrote to standard output. Fails when one of them fails. */
  type(lines: string): Promise<string>
  /** Types these lines, of which the last does not come back. */
  leaveRunning(lines: string): Promise<void>
  /** Everything it has shown so far. */
  shown(): string
  close(): Promise<void>
}

/** Shown when what was left running did not stay. */
export const ended = '--- it has ended ---'

/** A shell that stays open, as a reader's does: variables, functions and the folder hold from block to block. */
export async function openTerminal(options: {
  folder: string
  environment: Record<string, string>
  /** Where it may keep what is typed and shown. */
  scratch: string
}): Promise<Terminal> {
  const { folder, environment, scratch } = options
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // A process group of its own: closing the terminal ends all that runs in it.
    detached: true,
  })
  const logs: string[] = []
  let [output, faults, typed] = ['', '', 0]
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (faults += text))
  const gone = once(shell, 'close')
  // It ends when its input does, be it that the test was killed, and takes with it what it has left running.
  shell.stdin.write("set -euo pipefail\ntrap 'kill 0' EXIT\n")

  function save(lines: string): string {
    typed += 1
    const file = join(scratch, `typed-${typed}.sh`)
    writeFileSync(file, lines)
    return file
  }

  async function run(command: string): Promise<string> {
    const from = output.length
    const end = `--- end of block ${typed} ---\n`
    shell.stdin.write(`${command}\nprintf '\\n${end.replace('\n', '\\n')}'\n`)
    while (!output.includes(end, from)) {
      const [first] = await Promise.race([once(shell.stdout, 'data'), gone])
      if (typeof first !== 'string') throw new Error(`It failed (${first}):\n${output.slice(from)}\n${faults}`)
    }
    return output.slice(from, output.indexOf(end, from))
  }

  return {
    // Not from the shell's own standard input: what the lines start would read on in it.
    type: (lines) => run(`. '${save(lines)}' </dev/null`),
    async leaveRunning(lines) {
      const file = save(lines)
      const log = `${file}.log`
      writeFileSync(log, '')
      logs.push(log)
      await run(`{ ( . '${file}' ) || true; echo '${ended}'; } </dev/null >'${log}' 2>&1 &`)
    },
    shown: () => [output, faults, ...logs.map((log) => readFileSync(log, 'utf8'))].join('\n'),
    async close() {
      try {
        process.kill(-Number(shell.pid), 'SIGKILL')
      } catch {
        // It ended by itself.
      }
      await gone
    },
  }
}
