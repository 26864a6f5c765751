/** The fields of a scoring block that may leave the service, and no others. */
export type Scoring = {
  technical_score: number
  technical_feedback: string
  soft_skills_score: number
  soft_skills_feedback: string
  language_proficiency: number
  language_proficiency_feedback: string
  weighted_score: number
  feedback: string
  highlights: string[]
  suggestions: string[]
  duration: number
}

/** A stored scoring block may hold more than this, for the interview product's own use. */
export function publicScoring(stored: Scoring): Scoring {
  return {
    technical_score: stored.technical_score,
    technical_feedback: stored.technical_feedback,
    soft_skills_score: stored.soft_skills_score,
    soft_skills_feedback: stored.soft_skills_feedback,
    language_proficiency: stored.language_proficiency,
    language_proficiency_feedback: stored.language_proficiency_feedback,
    weighted_score: stored.weighted_score,
    feedback: stored.feedback,
    highlights: [...stored.highlights],
    suggestions: [...stored.suggestions],
    duration: stored.duration,
  }
}
