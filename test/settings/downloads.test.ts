import assert from 'node:assert/strict'
import { EventEmitter } from 'node:events'
import { test } from 'node:test'
import { createDownloads } from '../../server/http/settings/downloads.ts'

const createSocket = ({ destroyed = false } = {}) => Object.assign(new EventEmitter(), { destroyed })

test('an organization downloads two events at once, and the next when one has ended · ROB-4', () => {
  const downloads = createDownloads()
  const begin = (organizationId: string) => {
    const [socket, response] = [createSocket(), new EventEmitter()]
    return { socket, response, started: downloads.start(organizationId, socket, response) }
  }
  const [first, second] = [begin('org_a'), begin('org_a')]
  assert.deepEqual([first.started, second.started], [true, true])
  assert.equal(begin('org_a').started, false)
  assert.equal(begin('org_b').started, true, 'others have their own share')

  first.response.emit('close')
  first.socket.emit('close')
  assert.equal(begin('org_a').started, true)
  assert.equal(begin('org_a').started, false, 'the end of a response and of its connection count once')
  // A client that leaves in the middle closes its connection only.
  second.socket.emit('close')
  assert.equal(begin('org_a').started, true)
  assert.equal(second.socket.listenerCount('close'), 0)
})

test('a download whose client left before it began takes no share · ROB-4', () => {
  const downloads = createDownloads()
  const begin = (socket: ReturnType<typeof createSocket>) => downloads.start('org_a', socket, new EventEmitter())
  for (let canceled = 0; canceled < 3; canceled += 1) assert.equal(begin(createSocket({ destroyed: true })), true)
  assert.deepEqual([begin(createSocket()), begin(createSocket()), begin(createSocket())], [true, true, false])
})
