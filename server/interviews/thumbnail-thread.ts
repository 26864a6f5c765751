import { parentPort } from 'node:worker_threads'
import { createJpegDecoder } from './jpeg-decode.ts'
import { type Fault, malformed, tooCostly } from './jpeg-fault.ts'
import { walkJpeg } from './jpeg-walk.ts'

// The script of a checking thread: bytes in, the first fault or null out. Its very first message says that it is ready.

if (parentPort === null) throw new Error('This script runs as a worker thread only.')
const port = parentPort
const decoder = await createJpegDecoder()

port.on('message', async (bytes: Uint8Array) => {
  port.postMessage(await findFault(bytes))
})
port.postMessage('ready')

async function findFault(bytes: Uint8Array): Promise<Fault | null> {
  const fault = walkJpeg(bytes)
  if (fault) return fault
  const outcome = await decoder.decode(bytes)
  if (outcome === 'undecodable') return malformed('The image data cannot be decoded.')
  if (outcome === 'out of memory') return tooCostly('The image takes more than 64 MiB of memory to decode.')
  return null
}
