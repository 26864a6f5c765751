/**
 * The minimum a server has to do for the live benchmark: accept and check an image, store a result in one statement,
 * claim and settle in batches, and send signed events over keep-alive TLS connections. No keys, no validation, no delivery
 * records, no fairness, no retries, no history, no limits, no log.
 */
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import sql from 'sql-template-tag'
import { openPostgres } from '../server/database/database.ts'
import { newId } from '../server/database/ids.ts'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import { bareTables, createBareQueue } from './bare-queue.ts'
import { createBareSender } from './bare-sender.ts'

const {
  DATABASE_URL: url = '',
  PORT: port = '',
  RECEIVER_URL: receiver = '',
  DESTINATION_CA_FILE: ca = '',
} = process.env

const database = openPostgres({ url, connections: 10 })
const checker = createThumbnailChecker()
const { send } = createBareSender({ url: receiver, extraCa: readFileSync(ca, 'utf8') })
const work = createBareQueue(database, send)

await database.script(bareTables)

createServer(async (request, response) => {
  const [, kind] = /\/(\w+)$/.exec(request.url ?? '') ?? []
  const interviewId = request.url?.split('/')[4] ?? ''
  const answer =
    kind === 'thumbnail'
      ? await storeImage(interviewId, await bodyOf(request))
      : kind === 'result'
        ? await storeResult(interviewId, await bodyOf(request))
        : {}
  response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer))
}).listen(Number(port), '127.0.0.1')

process.on('SIGTERM', () => process.exit())

async function bodyOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk)
  return Buffer.concat(chunks)
}

async function storeImage(interviewId: string, image: Buffer): Promise<{ usable: boolean }> {
  const { ok } = await checker.check(image)
  await database.query(sql`insert into bare_images values (${interviewId}, ${image.toString('base64')})`)
  return { usable: ok }
}

async function storeResult(interviewId: string, body: Buffer): Promise<{ resultId: string }> {
  const { scoring } = JSON.parse(body.toString())
  const resultId = newId('res')
  await database.query(sql`
    with stored as (insert into bare_results values (${resultId}, ${interviewId}, ${JSON.stringify(scoring)}::json))
    insert into bare_jobs values (${resultId})`)
  void work()
  return { resultId }
}
