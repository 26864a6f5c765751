import { readFileSync } from 'node:fs'
import type { Queryable } from '../database/database.ts'
import {
  currentRound,
  type Delivery,
  findDeliveryOfResult,
  readHistory,
  readRounds,
} from '../deliveries/delivery-history.ts'
import { type Explanation, explainDelivery } from '../deliveries/explanation.ts'
import { storeThumbnail } from '../images/thumbnail-store.ts'
import type { InterviewStatus } from '../interviews/interview-status.ts'
import type { Scoring } from '../interviews/scoring.ts'
import { findFinalResult } from '../interviews/shared-result.ts'
import type { InterviewCompletion } from './complete-interview.ts'

export type SandboxSubmission = { scoring: Scoring; picture?: Buffer }

export type SandboxCompletion =
  | { outcome: 'completed' | 'completed_before'; result: SandboxResult }
  | { outcome: 'over'; status: InterviewStatus }
  | { outcome: 'not_found' }

export type SandboxResult = { resultId: string; token: string; delivery: ExplainedDelivery | null }

export type ExplainedDelivery = Delivery & { explanation: Explanation | null }

/**
 * Stores a picture and a result as if the interview product had reported them. The picture goes first, so that the first
 * delivery attempt finds it.
 */
export async function completeInSandbox(
  { database, completion }: { database: Queryable; completion: InterviewCompletion },
  interviewId: string,
  { scoring, picture }: SandboxSubmission,
  now: Date,
): Promise<SandboxCompletion> {
  const before = await findSandboxResult(database, interviewId)
  if (before) return { outcome: 'completed_before', result: before }

  const thumbnail = { interviewId, image: picture ?? samplePortrait, verdict: null, now }
  const version = await storeThumbnail(database, thumbnail)
  if (version === null) return { outcome: 'not_found' }
  const stored = await completion.complete(interviewId, { scoring, final: true }, now)
  if (stored.outcome === 'not_found' || stored.outcome === 'over') return stored

  const result = await findSandboxResult(database, interviewId)
  if (!result) throw new Error(`Interview ${interviewId} was completed but has no result`)
  return { outcome: stored.outcome === 'stored' ? 'completed' : 'completed_before', result }
}

/** Null until the interview is completed. */
export async function findSandboxResult(database: Queryable, interviewId: string): Promise<SandboxResult | null> {
  const result = await findFinalResult(database, interviewId)
  return result && { ...result, delivery: await findExplainedDelivery(database, result.resultId) }
}

async function findExplainedDelivery(database: Queryable, resultId: string): Promise<ExplainedDelivery | null> {
  const delivery = await findDeliveryOfResult(database, resultId)
  if (!delivery) return null
  const round = currentRound(await readRounds(database, delivery.id))
  return { ...delivery, explanation: explainDelivery(delivery, round, await readHistory(database, delivery.id)) }
}

export const samplePortrait = readFileSync(new URL('../images/sample-portrait.jpg', import.meta.url))

/** Used if no overall score is given. */
export const weights = { technical_score: 0.5, soft_skills_score: 0.3, language_proficiency: 0.2 }

export function weightedScore(scores: Record<keyof typeof weights, number>): number {
  const sum =
    scores.technical_score * weights.technical_score +
    scores.soft_skills_score * weights.soft_skills_score +
    scores.language_proficiency * weights.language_proficiency
  return Math.round(sum * 10) / 10
}

const sampleScores = { technical_score: 88, soft_skills_score: 84, language_proficiency: 91 }

export const sampleScoring: Scoring = {
  ...sampleScores,
  technical_feedback:
    'Explains trade-offs clearly and reaches for simple designs first. Sized the queue from the numbers given, and found the race in the second exercise without a hint.',
  soft_skills_feedback:
    'Listens, asks before assuming, and says so when something is unknown. Could sum up more often in longer discussions.',
  language_proficiency_feedback: 'Fluent and precise, with a wide technical vocabulary.',
  weighted_score: weightedScore(sampleScores),
  feedback:
    'A strong conversation from beginning to end. The candidate worked in small, testable steps, thought aloud, and changed course gracefully when a requirement changed.',
  highlights: [
    'Found and explained a race condition unaided',
    'Writes the failing test first',
    'Calm under changing requirements',
  ],
  suggestions: ['Sum up decisions before moving on', 'Read up on back-pressure in streaming systems'],
  duration: 2_534,
}
