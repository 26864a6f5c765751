import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Activity } from '../../server/http/settings/schemas.ts'
import { describeActivity } from '../../web/src/activity/describe-activity.ts'

const now = new Date(2026, 0, 1).getTime()
const endsAt = new Date(2027, 1, 17, 18, 19).toISOString()
const entry = { id: 'act_1', at: endsAt, actor: 'ada@example.com', subject: 'ATS (key_1)' }
const noteOf = (action: Activity['action'], detail: string | null, endsAt: string | null = null) =>
  describeActivity({ ...entry, action, detail, endsAt }, now).note

test('when a key ends is said in the reader’s time zone · SET-6', () => {
  assert.equal(noteOf('key.created', 'results:read', endsAt), 'results:read; expires Feb 17, 2027, 18:19')
  assert.equal(noteOf('key.created', 'results:read'), 'results:read')
  assert.equal(noteOf('key.expiry_changed', null, endsAt), 'expires Feb 17, 2027, 18:19')
  assert.equal(noteOf('key.expiry_changed', null), 'never')
  assert.equal(noteOf('key.rotated', 'by key_2', endsAt), 'by key_2; the old key works until Feb 17, 2027, 18:19')
})

test('an entry of an earlier version is shown as it was written · SET-6', () => {
  for (const [action, detail] of [
    ['key.created', 'results:read; expires 2027-02-17T17:19:35.306Z'],
    ['key.expiry_changed', '2027-02-17T17:19:35.306Z'],
    ['key.expiry_changed', 'never'],
  ] as const) {
    assert.equal(noteOf(action, detail), detail)
  }
})
