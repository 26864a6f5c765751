import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Terminal = {
  /** Runs these lines, waits for them to end and returns their standard output. Throws if one fails. */
  type(lines: string): Promise<string>
  /** Runs these lines, the last of which keeps running. */
  leaveRunning(lines: string): Promise<void>
  /** Everything shown so far. */
  shown(): string
  close(): Promise<void>
}

/** Shown if something that should keep running has exited. */
export const ended = '--- exited ---'

/** A shell that stays open like a reader's: variables, functions and the folder carry over from block to block. */
export async function openTerminal(options: {
  folder: string
  environment: Record<string, string>
  /** A folder for scripts and logs. */
  scratch: string
}): Promise<Terminal> {
  const { folder, environment, scratch } = options
  const shell = spawn('bash', ['--noprofile', '--norc'], {
    cwd: folder,
    env: environment,
    stdio: ['pipe', 'pipe', 'pipe'],
    // In its own process group, so that closing the terminal kills everything in it.
    detached: true,
  })
  const logs: string[] = []
  let [output, errors, typed] = ['', '', 0]
  shell.stdout.setEncoding('utf8').on('data', (text: string) => (output += text))
  shell.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text))
  const gone = once(shell, 'close')
  // When its input ends, for example because the test was killed, it exits and kills what it has left running.
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
      if (typeof first !== 'string') throw new Error(`The shell exited (${first}):\n${output.slice(from)}\n${errors}`)
    }
    return output.slice(from, output.indexOf(end, from))
  }

  return {
    // Not through the shell's standard input: a command in these lines would read the rest of it.
    type: (lines) => run(`. '${save(lines)}' </dev/null`),
    async leaveRunning(lines) {
      const file = save(lines)
      const log = `${file}.log`
      writeFileSync(log, '')
      logs.push(log)
      await run(`{ ( . '${file}' ) || true; echo '${ended}'; } </dev/null >'${log}' 2>&1 &`)
    },
    shown: () => [output, errors, ...logs.map((log) => readFileSync(log, 'utf8'))].join('\n'),
    async close() {
      try {
        process.kill(-Number(shell.pid), 'SIGKILL')
      } catch {
        // It has already exited.
      }
      await gone
    },
  }
}
