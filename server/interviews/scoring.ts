import { type ArrayOptions, type Static, type StringOptions, Type } from '../schema.ts'

const score = (description: string) => Type.Number({ minimum: 0, maximum: 100, description })

/** Of `highlights` and `suggestions`. */
export const maxListEntries = 50

type Limits = { text?: StringOptions; list?: ArrayOptions; entry?: StringOptions; maxDuration?: number }

/** The fields of a scoring block that may leave the service, and no others. */
function scoringSchema({ text = {}, list = {}, entry = {}, maxDuration }: Limits) {
  return Type.Object(
    {
      technical_score: score('Technical score.'),
      technical_feedback: Type.String(text),
      soft_skills_score: score('Soft skills score.'),
      soft_skills_feedback: Type.String(text),
      language_proficiency: score('Language proficiency score.'),
      language_proficiency_feedback: Type.String(text),
      weighted_score: score('Overall score. May have a fractional part.'),
      feedback: Type.String({ description: 'Overall feedback.', ...text }),
      highlights: Type.Array(Type.String(entry), list),
      suggestions: Type.Array(Type.String(entry), list),
      duration: Type.Integer({
        minimum: 0,
        ...(maxDuration !== undefined && { maximum: maxDuration }),
        description: 'Length of the interview in whole seconds.',
      }),
    },
    { title: 'Scoring' },
  )
}

/** As partners see it, without the pattern below: other regex engines may treat an emoji as two surrogates. */
export const scoring = scoringSchema({})

const pattern = '^[^\\u0000\\uD800-\\uDFFF]*$'

/** As the interview product reports it. Additional fields are stored but never leave the service. */
export const reportedScoring = scoringSchema({
  text: { maxLength: 10_000, pattern },
  list: { maxItems: maxListEntries },
  entry: { maxLength: 1_000, pattern },
  maxDuration: 1_000_000,
})

export type Scoring = Static<typeof scoring>

/** An allow-list: a stored scoring block may contain more, for the interview product's own use. */
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

/** Keeps only what can't identify anyone. */
export function redactScoring(stored: Scoring): Scoring {
  return {
    ...publicScoring(stored),
    technical_feedback: '',
    soft_skills_feedback: '',
    language_proficiency_feedback: '',
    feedback: '',
    highlights: [],
    suggestions: [],
  }
}
