import sql from 'sql-template-tag'
import { createOrReuseInvitation, type Invitation } from '../server/interviews/invitations.ts'
import { storeResultParts, toReport } from '../server/interviews/result-store.ts'
import { createOrReuseTemplate } from '../server/interviews/templates.ts'
import type { Service } from './service.ts'

export type FinishedInterview = {
  resultId: string
  token: string
  score: number
  completedAt: Date
  invitation: Invitation
}

let counter = 0

/** Invites a new candidate, to a new template unless one is given. */
export async function invite(service: Service, organizationId: string, templateId?: string): Promise<Invitation> {
  const { database, time } = service
  const fields = { title: 'T', description: 'D' }
  const chosen = templateId ?? (await createOrReuseTemplate(database, organizationId, fields, time.now)).template.id
  const candidate = { email: `candidate${++counter}@example.com`, firstName: 'Ada', lastName: 'Lovelace' }
  const options = { interviewUrl: 'https://interviews.example/{token}', now: time.now }
  const created = await createOrReuseInvitation(database, organizationId, { templateId: chosen, candidate }, options)
  if (created === 'template_not_found') throw new Error(`There is no template ${chosen}`)
  return created.invitation
}

/** Stores a result as the interview product reports it. Default: a final one. */
export async function finish(
  service: Service,
  organizationId: string,
  options: { templateId?: string; completedAt?: string; score?: number; final?: boolean; invitation?: Invitation } = {},
): Promise<FinishedInterview> {
  const { score = 87.5, final = true } = options
  const completedAt = options.completedAt === undefined ? service.time.now : new Date(options.completedAt)
  const invitation = options.invitation ?? (await invite(service, organizationId, options.templateId))
  const reported = { completedAt, scoring: { ...scoring, weighted_score: score }, analysis, final }
  const [stored] = await service.database.query<{ resultId: string; token: string }>(sql`
    with ${storeResultParts([toReport(invitation.interview.id, reported, service.time.now)])}
    select id as "resultId", token from stored`)
  if (!stored) throw new Error('The result was not stored')
  return { ...stored, score, completedAt, invitation }
}

export const scoring = {
  technical_score: 90,
  technical_feedback: 'Knows queues.',
  soft_skills_score: 80,
  soft_skills_feedback: 'Listens.',
  language_proficiency: 95,
  language_proficiency_feedback: 'Fluent.',
  weighted_score: 87.5,
  feedback: 'Hire.',
  highlights: ['Queues'],
  suggestions: ['Databases'],
  duration: 1800,
}

const analysis = { transcript: ['a secret word'], whiteboard: { score: 1 } }
