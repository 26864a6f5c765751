import { randomBytes } from 'node:crypto'
import sql from 'sql-template-tag'
import type { Database } from '../server/database/database.ts'
import { newId } from '../server/database/ids.ts'
import { createThumbnailChecker } from '../server/images/thumbnail-checker.ts'
import type { ThumbnailVerdict } from '../server/images/thumbnail-verdict.ts'
import { createOrReuseTemplate } from '../server/interviews/templates.ts'
import { createOrganization } from '../server/organizations/organizations.ts'
import { createDestinationGuard } from '../server/outbound/destination.ts'
import { saveWebhook } from '../server/workflows/administer.ts'
import { createCompletion } from '../server/workflows/complete-interview.ts'

export const secretsKey = Buffer.alloc(32, 7)

export const scoring = {
  technical_score: 81,
  technical_feedback: 'Explains trade-offs clearly and tests assumptions.',
  soft_skills_score: 77,
  soft_skills_feedback: 'Listens, asks, and answers to the point.',
  language_proficiency: 92,
  language_proficiency_feedback: 'Fluent.',
  weighted_score: 82.4,
  feedback: 'A strong conversation.',
  highlights: ['Designed an idempotent receiver'],
  suggestions: ['Talk about monitoring earlier'],
  duration: 1860,
}

// More than one organization's share, so that all slots of a worker are used.
const organizations = 16

/** Interviews ready to be completed, spread over several organizations with the same receiver. */
export async function prepareInterviews(
  database: Database,
  options: { url: string; image: Buffer; count: number; judged: boolean },
): Promise<string[]> {
  const now = new Date()
  const verdict = options.judged ? JSON.stringify(await judge(options.image)) : null
  const guard = createDestinationGuard({ resolve: async () => ['127.0.0.1'], allowCidrs: ['127.0.0.0/8'] })
  const ids: string[][] = []
  for (let index = 0; index < organizations; index++) {
    const { id: organizationId } = await createOrganization(database, `Bench ${index}`, now)
    await saveWebhook({ database, guard, secretsKey }, { organizationId, actor: 'bench' }, { url: options.url }, now)
    const fields = { title: 'Backend engineer', description: 'Services, queues and databases.' }
    const { template } = await createOrReuseTemplate(database, organizationId, fields, now)
    const share = Math.ceil(options.count / organizations)
    const created = Array.from({ length: share }, () => ({ interview: newId('int'), candidate: newId('cand') }))
    await insertInterviews(database, { organizationId, templateId: template.id, created, now })
    const interviews = created.map(({ interview }) => interview)
    await database.query(sql`
      insert into thumbnails (interview_id, size, base64, version, verdict, stored_at)
      select id, ${options.image.length}::int, ${options.image.toString('base64')}, 'bench', ${verdict}::jsonb,
        ${now}::timestamptz
      from unnest(${interviews}::text[]) as i (id)`)
    ids.push(interviews)
  }
  await database.script('analyze')
  // Interleaved, as in real traffic.
  const inTurns = ids[0]?.flatMap((_, index) => ids.flatMap((one) => one[index] ?? [])) ?? []
  return inTurns.slice(0, options.count)
}

/** The verdict of an upload. All use the same image. */
async function judge(image: Buffer): Promise<ThumbnailVerdict> {
  const checker = createThumbnailChecker()
  const verdict = await checker.check(image)
  await checker.close()
  return verdict
}

type NewInterview = { interview: string; candidate: string }

async function insertInterviews(
  database: Database,
  {
    organizationId,
    templateId,
    created,
    now,
  }: { organizationId: string; templateId: string; created: NewInterview[]; now: Date },
): Promise<void> {
  const interviews = created.map(({ interview }) => interview)
  const candidates = created.map(({ candidate }) => candidate)
  const tokens = created.map(() => randomBytes(32).toString('base64url'))
  await database.query(sql`
    insert into candidates (id, organization_id, email_key)
    select id, ${organizationId}, id || '@example.com' from unnest(${candidates}::text[]) as c (id)`)
  await database.query(sql`
    insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key, first_name,
      last_name, token, status, expires_at, created_at, updated_at)
    select id, 'inv' || substr(id, 4), ${organizationId}, ${templateId}, candidate, candidate || '@example.com',
      candidate || '@example.com', 'Ada', 'Lovelace', token, 'PROCESSING', ${new Date(now.getTime() + 86_400_000)}::timestamptz,
      ${now}::timestamptz, ${now}::timestamptz
    from unnest(${interviews}::text[], ${candidates}::text[], ${tokens}::text[]) as i (id, candidate, token)`)
}

/** Reports all results with the completion that the engine API uses. */
export async function completeAll(database: Database, interviewIds: string[]): Promise<void> {
  const completion = createCompletion({
    database,
    wake: () => {},
    report: (problem: string, error: unknown) => {
      throw new Error(problem, { cause: error })
    },
  })
  const waiting = [...interviewIds]
  const work = async () => {
    for (let id = waiting.shift(); id !== undefined; id = waiting.shift()) {
      const stored = await completion.complete(id, { scoring, final: true }, new Date())
      if (stored.outcome !== 'stored') throw new Error(`The result of ${id} was not stored: ${stored.outcome}`)
    }
  }
  await Promise.all(Array.from({ length: 10 }, work))
}
