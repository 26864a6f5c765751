import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { handOver, serveCommands } from '../../cli/handover.ts'

// More than the buffers of a socket hold.
const stdout = 'x'.repeat(5_000_000)

test('a client that sends nothing, and one that reads nothing, do not hold up the shutdown', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'handover-'))
  t.after(() => rm(directory, { recursive: true }))
  const run = async () => ({ status: 0, stdout, stderr: '' })
  const commands = await serveCommands(directory, run, { patienceMilliseconds: 100 })
  assert.equal((await handOver(directory, ['list'])).stdout, stdout)

  const path = join(directory, 'control.sock')
  const silent = connect(path)
  const deaf = connect(path).pause()
  await Promise.all([once(silent, 'connect'), once(deaf, 'connect')])
  deaf.end(JSON.stringify(['list']))
  await commands.close()
  for (const socket of [silent, deaf]) socket.destroy()
})
