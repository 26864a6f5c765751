import { parentPort, workerData } from 'node:worker_threads'
import { type ThreadSlots, takeWork, writeAnswer } from './thread-slots.ts'

/**
 * The thread's side of thread-pool.ts: processes one item after another until it is terminated. The first message means
 * that the thread is ready, later ones that there are answers.
 */
export function answerWork<Answer>(answer: (bytes: Uint8Array) => Answer): never {
  if (parentPort === null) throw new Error('This script only runs as a worker thread.')
  const shared: ThreadSlots = workerData
  parentPort.postMessage(null)
  for (;;) {
    const { slot, bytes } = takeWork(shared)
    if (writeAnswer(shared, slot, JSON.stringify(answer(bytes)))) parentPort.postMessage(null)
  }
}
