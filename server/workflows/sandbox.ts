import { readFileSync } from 'node:fs'
import type { Queryable } from '../database/database.ts'
import { type Delivery, findDeliveryOfResult } from '../deliveries/delivery-history.ts'
import { storeThumbnail } from '../images/thumbnail-store.ts'
import type { InterviewStatus } from '../interviews/invitations.ts'
import type { Scoring } from '../interviews/scoring.ts'
import { findFinalResult } from '../interviews/shared-result.ts'
import { type CompletionDependencies, completeInterview } from './complete-interview.ts'

export type Performance = { scoring: Scoring; picture?: Buffer }

export type Played =
  | { outcome: 'completed' | 'completed_before'; result: PlayedResult }
  | { outcome: 'over'; status: InterviewStatus }
  | { outcome: 'not_found' }

export type PlayedResult = { resultId: string; token: string; delivery: Delivery | null }

/**
 * Plays the candidate where there is no interview product: the picture and the result are stored just as if it had
 * reported them. The picture comes first, so that the first attempt to deliver finds it.
 */
export async function playCandidate(
  completion: CompletionDependencies,
  interviewId: string,
  { scoring, picture }: Performance,
  now: Date,
): Promise<Played> {
  const { database } = completion
  const before = await findPlayedResult(database, interviewId)
  if (before) return { outcome: 'completed_before', result: before }

  const thumbnail = { image: picture ?? samplePortrait, verdict: null }
  const version = await storeThumbnail(database, interviewId, thumbnail, now)
  if (version === null) return { outcome: 'not_found' }
  const stored = await completeInterview(completion, interviewId, { scoring, final: true }, now)
  if (stored.outcome === 'not_found' || stored.outcome === 'over') return stored

  const result = await findPlayedResult(database, interviewId)
  if (!result) throw new Error(`Interview ${interviewId} has no result after its completion`)
  return { outcome: stored.outcome === 'stored' ? 'completed' : 'completed_before', result }
}

/** What came of an interview: its result and where the event has got to. Null while it is not completed. */
export async function findPlayedResult(database: Queryable, interviewId: string): Promise<PlayedResult | null> {
  const result = await findFinalResult(database, interviewId)
  return result && { ...result, delivery: await findDeliveryOfResult(database, result.resultId) }
}

export const samplePortrait = readFileSync(new URL('../images/sample-portrait.jpg', import.meta.url))

/** How much each score counts when nobody says what the overall score is. */
export const weights = { technical_score: 0.5, soft_skills_score: 0.3, language_proficiency: 0.2 }

export function weigh(scores: Record<keyof typeof weights, number>): number {
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
  weighted_score: weigh(sampleScores),
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
