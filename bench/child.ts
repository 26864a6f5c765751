import { type ChildProcess, fork, type Serializable } from 'node:child_process'
import { join } from 'node:path'

/** Runs a script of this directory in its own process. It exits when this one does, see `disconnect` in each. */
export function startChild(script: string): ChildProcess {
  return fork(join(import.meta.dirname, script), { serialization: 'advanced' })
}

/** Sends a request and waits for the reply, or for the process to exit. */
export function ask<Answer>(child: ChildProcess, question: Serializable): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const ended = () => reject(new Error(`${child.spawnargs[1]} has ended`))
    child.once('exit', ended)
    child.once('message', (answer: Answer) => {
      child.off('exit', ended)
      resolve(answer)
    })
    child.send(question, (error) => error && ended())
  })
}

export function stopChild(child: ChildProcess): void {
  if (child.connected) child.disconnect()
}
