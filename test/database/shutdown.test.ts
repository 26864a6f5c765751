import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, before, test } from 'node:test'
import sql from 'sql-template-tag'
import { openPostgres } from '../../server/database/database.ts'
import { DatabaseUnavailable } from '../../server/database/failures.ts'

// Stands in for PostgreSQL, because a real server only rarely ends a session right as it begins.
const server = createServer((socket) => socket.once('data', () => greetAndEnd(socket)))
before(() => once(server.listen(0, '127.0.0.1'), 'listening'))
after(() => server.close())

test('a server that shuts down right as a session becomes ready fails the query, not the process', async () => {
  const address = server.address()
  assert.ok(address !== null && typeof address === 'object')
  const database = openPostgres({ url: `postgres://user@127.0.0.1:${address.port}/test`, connections: 2 })
  try {
    const queries = Array.from({ length: 5 }, () => database.query(sql`select 1`))
    for (const one of await Promise.allSettled(queries)) {
      assert.ok(one.status === 'rejected' && one.reason instanceof DatabaseUnavailable)
    }
  } finally {
    await database.close()
  }
})

function greetAndEnd(socket: Socket): void {
  const admitted = message('R', Buffer.alloc(4))
  const ready = message('Z', Buffer.from('I'))
  const ended = message('E', Buffer.from('SFATAL\0C57P01\0Mterminating connection due to administrator command\0\0'))
  socket.end(Buffer.concat([admitted, ready, ended]))
}

function message(type: string, content: Buffer): Buffer {
  const length = Buffer.alloc(4)
  length.writeInt32BE(4 + content.length)
  return Buffer.concat([Buffer.from(type), length, content])
}
