import assert from 'node:assert/strict'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { DirectoryInUse, DirectoryUnusable, lockDataDirectory } from '../../server/database/data-directory.ts'
import { temporaryFolder } from '../../support/process.ts'

test('a data directory has one owner at a time', async () => {
  await using folder = await temporaryFolder()
  const path = join(folder.path, 'data')
  const directory = lockDataDirectory(path)
  assert.throws(() => lockDataDirectory(path), DirectoryInUse)
  directory.release()
  lockDataDirectory(path).release()
})

test('a path that cannot be a data directory is not called taken, whatever its name', async () => {
  await using folder = await temporaryFolder()
  const file = join(folder.path, 'locked')
  await writeFile(file, '')
  const message = /^DATA_DIR must be a directory that this user can write to\. .*locked.data is not: ENOTDIR/
  assert.throws(
    () => lockDataDirectory(join(file, 'data')),
    (error) => error instanceof DirectoryUnusable && message.test(error.message),
  )
})
