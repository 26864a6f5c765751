import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { ReceivedMessage } from '../../server/queue/sqs-client.ts'
import { createInbox } from '../../server/queue/sqs-inbox.ts'

function message(organizationId: string, number: number): ReceivedMessage {
  const deliveryId = `${organizationId}-${number}`
  return { deliveryId, organizationId, round: 1, dueAt: number, receipt: deliveryId, dead: false }
}

describe('the inbox of an SQS worker', () => {
  test('an organization that is out of turns holds no more messages than any other may have · DLV-12', () => {
    const inbox = createInbox({ perOrganization: 2, maxHeld: 6 })
    const [a, b, c] = [message('slow', 1), message('slow', 2), message('slow', 3)]
    assert.deepEqual([inbox.offer(a), inbox.offer(b), inbox.offer(c)], [true, true, false])
    const taken = inbox.take(2, new Map(), 0)
    // While those are being claimed, another one arrives.
    assert.equal(inbox.offer(c), true)
    assert.deepEqual(inbox.hold(taken, 'slow', 1_000), [b])
    assert.equal(inbox.offer(message('slow', 4)), false)
    assert.deepEqual(inbox.take(9, new Map(), 0), [])
    assert.deepEqual(inbox.take(9, new Map(), 1_000), [a, c])
  })

  test('those that wait for turns leave room for the others · DLV-12', () => {
    const inbox = createInbox({ perOrganization: 2, maxHeld: 3 })
    for (const organization of ['a', 'b']) {
      const both = [message(organization, 1), message(organization, 2)]
      const rejected = inbox.hold(both, organization, 1_000)
      assert.equal(rejected.length, organization === 'a' ? 0 : 1)
    }
    assert.equal(inbox.size(), 0)
    assert.equal(inbox.offer(message('c', 1)), true)
    assert.deepEqual(
      inbox.take(9, new Map(), 0).map(({ organizationId }) => organizationId),
      ['c'],
    )
  })
})
