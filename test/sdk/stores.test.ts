import assert from 'node:assert/strict'
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFileStore } from '../../sdk/src/file-store.ts'
import { createMemoryStore } from '../../sdk/src/memory-store.ts'
import type { ResultStore } from '../../sdk/src/store.ts'
import { signed } from './signed.ts'

let folder = ''
let count = 0
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'store-test-'))
})
after(() => rm(folder, { recursive: true, force: true }))

const newFolder = () => join(folder, String(++count))

for (const { name, open } of [
  { name: 'in memory', open: async () => createMemoryStore() },
  { name: 'in files', open: () => openFileStore(newFolder()) },
]) {
  describe(`the store ${name}`, () => {
    test('accepts an event from one of ten concurrent calls, and from none afterwards · DLV-2', async () => {
      const [store, { event }] = [await open(), await signed()]
      const added = await Promise.all(Array.from({ length: 10 }, () => store.add(event)))
      assert.equal(added.filter(Boolean).length, 1)
      assert.equal(await store.add(event), false, 'being processed')
      await store.done(event.resultId)
      assert.equal(await store.add(event), false, 'processed')
      assert.deepEqual(await unfinished(store), [])
    })

    test('accepts an event again if its processing failed · DLV-11', async () => {
      const [store, { event }] = [await open(), await signed()]
      await store.add(event)
      assert.deepEqual(await unfinished(store), [], 'being processed')
      await store.failed(event.resultId)
      assert.deepEqual(await unfinished(store), [event])
      await store.failed(event.resultId)
      assert.equal(await store.add(event), true)
      await store.done(event.resultId)
      assert.deepEqual(await unfinished(store), [])
    })

    test('remembers every event it was given', async () => {
      const [store, one, two] = [await open(), await signed(), await signed()]
      await store.add(one.event)
      await store.done(one.resultId)
      await store.add(two.event)
      const known = await Promise.all([one.resultId, two.resultId, '../another'].map((id) => store.has(id)))
      assert.deepEqual(known, [true, true, false])
    })
  })
}

test('the memory store remembers a limited number, and rejects more work than it may hold', async () => {
  const store = createMemoryStore({ ids: 2, unfinished: 1 })
  const events = await Promise.all(Array.from({ length: 3 }, async () => (await signed()).event))
  for (const event of events) {
    assert.equal(await store.add(event), true)
    await store.done(event.resultId)
  }
  assert.deepEqual(await Promise.all(events.map(({ resultId }) => store.has(resultId))), [false, true, true])
  await store.add((await signed()).event)
  await assert.rejects(store.add((await signed()).event), /Too many unprocessed/)
})

test('the file store gives a new process the events that the previous one did not finish · DLV-11', async () => {
  const [path, one, two] = [newFolder(), await signed(), await signed()]
  const before = await openFileStore(path)
  await before.add(one.event)
  await before.add(two.event)
  await before.done(one.resultId)

  const after = await openFileStore(path)
  assert.equal(await after.add(one.event), false)
  assert.deepEqual(await unfinished(after), [two.event])
  assert.equal(await after.add(two.event), false, 'being processed now')
})

test('the file store keeps events private, and deletes the image once an event is processed', async () => {
  const [path, { event, resultId }] = [newFolder(), await signed()]
  const store = await openFileStore(path)
  await store.add(event)
  const [file = ''] = await readdir(path)
  assert.match(await readFile(join(path, file), 'utf8'), /dataBase64/)
  if (process.platform !== 'win32') {
    assert.equal((await stat(path)).mode & 0o077, 0)
    assert.equal((await stat(join(path, file))).mode & 0o077, 0)
  }
  await store.done(resultId)
  assert.deepEqual(await readdir(path), [`${resultId}.done`])
  assert.equal((await stat(join(path, `${resultId}.done`))).size, 0)
})

test('the file store never leaves its folder, whatever the result ID', async () => {
  const path = newFolder()
  const store = await openFileStore(path)
  for (const resultId of ['../../escaped', 'a/b', '', 'CON', 'x'.repeat(5_000), 'res\u0000']) {
    const { event } = await signed()
    assert.equal(await store.add({ ...event, resultId }), true)
    assert.equal(await store.has(resultId), true)
  }
  assert.equal((await readdir(path)).length, 6)
})

test('an event that can’t be written is not accepted, and can be added again', async () => {
  const path = newFolder()
  const [store, { event }] = [await openFileStore(path), await signed()]
  await rm(path, { recursive: true })
  const attempts = await Promise.allSettled([store.add(event), store.add(event)])
  assert.deepEqual(
    attempts.map(({ status }) => status),
    ['rejected', 'rejected'],
  )
  await openFileStore(path)
  assert.equal(await store.add(event), true)
})

async function unfinished(store: ResultStore): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of store.unfinished()) events.push(event)
  return events
}
