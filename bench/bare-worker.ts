/** Sends what waits in the bare tables of a PostgreSQL database. With JUDGE, it checks each image first. */
import { openPostgres } from '../server/database/database.ts'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { createBareQueue } from './bare-queue.ts'
import { type BareEvent, createBareSender } from './bare-sender.ts'

const { DATABASE_URL: databaseUrl = '', URL: url = '', CA: extraCa = '', JUDGE: judge } = process.env

const database = openPostgres({ url: databaseUrl, connections: 10 })
const checker = createThumbnailChecker()
const { send } = createBareSender({ url, extraCa })

process.on('SIGTERM', () => process.exit())
await createBareQueue(database, judge ? sendChecked : send)()

async function sendChecked(event: BareEvent): Promise<void> {
  const { ok } = await checker.check(Buffer.from(event.base64, 'base64'))
  if (!ok) throw new Error('The image is refused')
  return send(event)
}
