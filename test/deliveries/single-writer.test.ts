import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const root = join(import.meta.dirname, '..', '..')

test('only the state machine writes the status of a delivery', () => {
  const files = globSync('{server,cli}/**/*.ts', { cwd: root })
  const writers = files.filter((file) => writesStatus(readFileSync(join(root, file), 'utf8')))
  assert.deepEqual(writers, ['server/deliveries/transitions.ts'])
})

test('statements that write the status are recognized in every form', () => {
  for (const text of [
    "update deliveries set status = 'FAILED' where id = $1",
    "UPDATE deliveries AS d\n  SET updated_at = now(),\n  status = 'PENDING' FROM chosen",
    "update only public.deliveries d set attempts = 0, failure_reason = null where status = 'FAILED'",
    "insert into deliveries (id, organization_id, status) values ($1, $2, 'PENDING')",
    'merge into deliveries using chosen on true when matched then update set round = 1',
    'insert into "deliveries" select * from old',
    'delete from deliveries',
  ]) {
    assert.ok(writesStatus(text), text)
  }
  for (const text of [
    "select id from deliveries where status = 'FAILED'",
    'update delivery_jobs set due_at = now()',
    'insert into delivery_attempts (delivery_id) values ($1)',
    'select id from deliveries for update',
  ]) {
    assert.ok(!writesStatus(text), text)
  }
})

/** Whatever inserts, updates or deletes a record may change its state, so all of that belongs in one file. */
function writesStatus(text: string): boolean {
  return /\b(update|insert\s+into|merge\s+into|delete\s+from)\s+(only\s+)?("?public"?\.)?"?deliveries"?(?!\w)/i.test(
    text,
  )
}
