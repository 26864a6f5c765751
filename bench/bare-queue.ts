/**
 * The least that sends events from a database: claims and settles jobs in batches, one statement each. No delivery records,
 * fairness, retries, history, limits or log.
 */
import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import type { BareEvent } from './bare-sender.ts'
import { scoring } from './results.ts'

export const bareTables = `
  create table bare_images (interview_id text primary key, base64 text not null);
  alter table bare_images alter column base64 set storage external;
  create table bare_results (id text primary key, interview_id text not null unique, scoring json not null);
  create table bare_jobs (id text primary key, leased_until timestamptz);
  create index bare_jobs_available on bare_jobs (id) where leased_until is null;
  create table bare_attempts (id text primary key, at timestamptz not null);`

/** Creates the tables, with this many events to send. */
export async function prepareBareQueue(database: Database, image: Buffer, count: number): Promise<void> {
  await database.script(bareTables)
  await database.query(sql`
    with numbered as (
      select 'res_' || number as result_id, 'int_' || number as interview_id
      from generate_series(1, ${count}::int) as n (number)
    ),
    images as (
      insert into bare_images select interview_id, ${image.toString('base64')} from numbered
    ),
    results as (
      insert into bare_results select result_id, interview_id, ${JSON.stringify(scoring)}::json from numbered
    )
    insert into bare_jobs select result_id from numbered`)
  await database.script('vacuum analyze')
}

// As many as a worker of the service.
const maxAtOnce = 192

/** Returns a function to call when there may be jobs. */
export function createBareQueue(database: Database, send: (event: BareEvent) => Promise<void>): () => Promise<void> {
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
      const jobs = await database.query<BareEvent>(sql`
        with claimed as (
          update bare_jobs set leased_until = now() + interval '40 seconds'
          -- With "in (select …)", the plan for any number of jobs joins whole tables and takes five times as long.
          where id = any(array(
            select id from bare_jobs where leased_until is null order by id limit ${maxAtOnce - running}
            for update skip locked
          ))
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

  return work
}
