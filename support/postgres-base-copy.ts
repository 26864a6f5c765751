import { constants } from 'node:fs'
import { copyFile, mkdir, readdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Client } from 'pg'

/** A base backup by file, because the PostgreSQL from npm has no pg_basebackup. The standby streams the WAL itself. */
export async function copyRunningCluster(leader: { url: string; data: string }, target: string): Promise<void> {
  const client = new Client(leader.url)
  await client.connect()
  try {
    await client.query(`select pg_backup_start('standby', fast => true)`)
    await copyFolder(leader.data, target)
    const { rows } = await client.query<{ labelfile: string }>(
      'select labelfile from pg_backup_stop(wait_for_archive => false)',
    )
    await writeFile(join(target, 'backup_label'), rows[0]?.labelfile ?? '', { mode: 0o600 })
  } finally {
    await client.end()
  }
}

// Their contents belong to the running server alone.
const emptied = new Set(['pg_wal', 'pg_replslot', 'pg_stat_tmp'])
const left = new Set(['postmaster.pid', 'postmaster.opts', 'backup_label', 'standby.signal'])

async function copyFolder(source: string, target: string): Promise<void> {
  await mkdir(target, { mode: 0o700 })
  for (const entry of await readdir(source, { withFileTypes: true })) {
    const [from, to] = [join(source, entry.name), join(target, entry.name)]
    if (emptied.has(entry.name)) await mkdir(to, { mode: 0o700 })
    else if (entry.isDirectory()) await copyFolder(from, to)
    else if (!left.has(entry.name)) await copyExisting(from, to)
  }
}

/** A running server removes files at any moment. Replaying the WAL makes up for that. */
async function copyExisting(from: string, to: string): Promise<void> {
  try {
    await copyFile(from, to, constants.COPYFILE_FICLONE)
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error
  }
}
