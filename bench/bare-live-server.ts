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
import { buildEvent, eventHeaders } from '../server/deliveries/event.ts'
import { sign } from '../server/endpoints/signature.ts'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import type { Scoring } from '../server/interviews/scoring.ts'
import { createDestinationGuard } from '../server/outbound/destination.ts'
import { createPoster } from '../server/outbound/post.ts'

const {
  DATABASE_URL: url = '',
  PORT: port = '',
  RECEIVER_URL: receiver = '',
  DESTINATION_CA_FILE: ca = '',
} = process.env

const database = openPostgres({ url, connections: 10 })
const guard = createDestinationGuard({ resolve: async () => ['127.0.0.1'], allowCidrs: ['127.0.0.0/8'] })
const checker = createThumbnailChecker()
const poster = createPoster({ extraCa: readFileSync(ca, 'utf8') })
const maxAtOnce = 64

await database.script(`
  create table bare_images (interview_id text primary key, base64 text not null);
  alter table bare_images alter column base64 set storage external;
  create table bare_results (id text primary key, interview_id text not null unique, scoring json not null);
  create table bare_jobs (id text primary key, leased_until timestamptz);
  create table bare_attempts (id text primary key, at timestamptz not null)`)

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

type Job = { resultId: string; interviewId: string; scoring: Scoring; base64: string }

let running = 0
let claiming = false
let again = false

/** One claim at a time, for as many jobs as there are free slots. */
async function work(): Promise<void> {
  again = true
  if (claiming) return
  claiming = true
  while (again && running < maxAtOnce) {
    again = false
    const jobs = await database.query<Job>(sql`
      with claimed as (
        update bare_jobs set leased_until = now() + interval '40 seconds'
        where id in (
          select id from bare_jobs where leased_until is null limit ${maxAtOnce - running} for update skip locked
        )
        returning id
      )
      select r.id as "resultId", r.interview_id as "interviewId", r.scoring, i.base64
      from claimed join bare_results r using (id) join bare_images i using (interview_id)`)
    running += jobs.length
    for (const job of jobs) {
      void send(job).then(() => {
        running -= 1
        done.push(job.resultId)
        void settle()
        void work()
      })
    }
  }
  claiming = false
}

async function send({ resultId, interviewId, scoring, base64 }: Job): Promise<void> {
  const signal = AbortSignal.timeout(5_000)
  const vetting = await guard.vet(receiver, signal)
  if (!vetting.ok) throw new Error('The destination is refused')
  const source = {
    resultId,
    occurredAt: '2026-01-02T03:04:05.678Z',
    completedAt: '2026-01-02T03:04:05.678Z',
    resultUrl: 'https://interviews.example/shared/interview-details/token',
    interviewId,
    template: { id: 'tpl_1', name: 'Backend engineer' },
    candidate: { id: 'cand_1', email: 'ada@example.com', firstName: 'Ada', lastName: 'Lovelace' },
    scoring,
  }
  const body = buildEvent(source, base64)
  const headers = eventHeaders(resultId, sign(body, 'whsec_bench_bench_bench', new Date()))
  const { error } = await poster.post(vetting.destination, { headers, body, signal })
  if (error !== null) throw new Error(error)
}

const done: string[] = []
let settling = false

async function settle(): Promise<void> {
  if (settling) return
  settling = true
  while (done.length > 0) {
    await new Promise((resolve) => setImmediate(resolve))
    await database.query(sql`
      with gone as (delete from bare_jobs where id = any(${done.splice(0)}) returning id)
      insert into bare_attempts select id, now() from gone`)
  }
  settling = false
}
