import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdir, mkdtemp, open, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { openFileStore } from '../../sdk/src/file-store.ts'
import { createMemoryStore } from '../../sdk/src/memory-store.ts'
import { createReceiver } from '../../sdk/src/receiver.ts'
import type { ResultStore } from '../../sdk/src/store.ts'
import { secret, signed } from './signed.ts'

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

test('a damaged file is set aside and reported once, and keeps no other event from being processed', async () => {
  const [path, whole, cut] = [newFolder(), await signed(), await signed()]
  const store = await openFileStore(path)
  await store.add(whole.event)
  await store.failed(whole.resultId)
  // They sort before and after the whole one.
  await writeFile(join(path, '0.event'), JSON.stringify(cut.event).slice(0, 100))
  await writeFile(join(path, 'z.event'), '{}')

  const { receiver, processed, errors } = recording(store)
  await receiver.resume()
  await receiver.resume()
  assert.deepEqual(processed, [whole.resultId])
  assert.deepEqual(errors, [new Error('Could not be read: 0.event.bad (not an event), z.event.bad (not an event)')])
  assert.deepEqual((await readdir(path)).sort(), ['0.event.bad', `${whole.resultId}.done`, 'z.event.bad'])
})

test('a damaged file that can’t be renamed keeps no other event from being processed either', async () => {
  const [path, whole] = [newFolder(), await signed()]
  const store = await openFileStore(path)
  await store.add(whole.event)
  await store.failed(whole.resultId)
  await writeFile(join(path, '0.event'), '{}')
  await mkdir(join(path, '0.event.bad', 'taken'), { recursive: true })

  const { receiver, processed, errors } = recording(store)
  await receiver.resume()
  assert.deepEqual(processed, [whole.resultId])
  assert.deepEqual(errors, [new Error('Could not be read: 0.event (not an event)')])
})

test('a file that can’t be read is reported each time, and keeps no other event from being processed', async () => {
  const [path, whole] = [newFolder(), await signed()]
  const store = await openFileStore(path)
  await store.add(whole.event)
  await store.failed(whole.resultId)
  await mkdir(join(path, '0.event'))

  const { receiver, processed, errors } = recording(store)
  await receiver.resume()
  await receiver.resume()
  assert.deepEqual(processed, [whole.resultId])
  assert.deepEqual(errors, Array(2).fill(new Error('Could not be read: 0.event (EISDIR)')))
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

test('a write that fails leaves nothing behind', async (t) => {
  const [path, { event, resultId }] = [newFolder(), await signed()]
  const store = await openFileStore(path)
  await using file = await open(join(folder, 'any'), 'w')
  const full = async () => Promise.reject(new Error('ENOSPC: no space left on device'))
  const sync = t.mock.method(Object.getPrototypeOf(file), 'sync', full)
  await assert.rejects(store.add(event), /ENOSPC/)
  assert.deepEqual(await readdir(path), [])
  sync.mock.restore()

  await store.add(event)
  await mkdir(join(path, `${resultId}.done`, 'in-the-way'), { recursive: true })
  await assert.rejects(store.done(resultId))
  assert.deepEqual((await readdir(path)).sort(), [`${resultId}.done`, `${resultId}.event`])
})

test('what a crash left half written is deleted, unless another process may still be writing it', async () => {
  const path = newFolder()
  const store = await openFileStore(path)
  const leave = async (name: string, minutesAgo: number) => {
    const time = new Date(Date.now() - minutesAgo * 60_000)
    await writeFile(join(path, name), '{"candidate":')
    await utimes(join(path, name), time, time)
  }
  const [old, recent] = [`${randomUUID()}.part`, `${randomUUID()}.part`]
  await leave(old, 11)
  await leave(recent, 9)
  await openFileStore(path)
  assert.deepEqual(await readdir(path), [recent])
  await leave(recent, 11)
  await unfinished(store)
  assert.deepEqual(await readdir(path), [])
})

async function unfinished(store: ResultStore): Promise<unknown[]> {
  const events: unknown[] = []
  for await (const event of store.unfinished()) events.push(event)
  return events
}

/** A receiver that notes what it processed, and what went wrong. */
function recording(seen: ResultStore) {
  const [processed, errors]: [string[], unknown[]] = [[], []]
  const receiver = createReceiver({
    secret,
    seen,
    onResult: ({ resultId }) => void processed.push(resultId),
    onError: (error) => errors.push(error),
  })
  return { receiver, processed, errors }
}
