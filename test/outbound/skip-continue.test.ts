import assert from 'node:assert/strict'
import { PassThrough } from 'node:stream'
import { test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { skipContinue } from '../../server/outbound/skip-continue.ts'

const early = 'HTTP/1.1 103 Early\r\nlink: x\r\n\r\n'
const answer = 'HTTP/1.1 200 OK\r\ncontent-length: 26\r\n\r\nHTTP/1.1 100 Continue\r\n\r\n!'
const sent = `HTTP/1.1 100 Continue\r\n\r\n${early}HTTP/1.0 100 Go on\r\nx: y\r\n\r\n${answer}`

test('every 100 before a response is taken out, however the bytes are cut, and nothing of the response', async () => {
  assert.equal(await readThrough([...sent]), early + answer)
  for (let cut = 0; cut <= sent.length; cut++) {
    assert.equal(await readThrough([sent.slice(0, cut), sent.slice(cut)]), early + answer, `cut at ${cut}`)
  }
})

test('what is no HTTP, or an interim response without end, reaches the client', async () => {
  for (const text of ['hello, this is not HTTP', `HTTP/1.1 100 Continue\r\nx: ${'y'.repeat(2_000)}`]) {
    assert.equal(await readThrough([text]), text)
  }
})

/** What a client reads if the pieces arrive one after the other. */
async function readThrough(pieces: string[]): Promise<string> {
  const socket = new PassThrough()
  skipContinue(socket, { awaitsResponse: true })
  let read = ''
  socket.on('readable', () => {
    read += socket.read() ?? ''
  })
  for (const piece of pieces) {
    socket.write(piece)
    await setImmediate()
  }
  return read
}
