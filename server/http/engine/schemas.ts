import { Type } from 'typebox'

const wellFormed = '^[^\\u0000\\uD800-\\uDFFF]*$'
const score = Type.Number({ minimum: 0, maximum: 100 })
const feedback = Type.String({ maxLength: 10_000, pattern: wellFormed })
const points = Type.Array(Type.String({ maxLength: 1_000, pattern: wellFormed }), { maxItems: 50 })

export const time = Type.String({ format: 'date-time' })

/** The eleven fields of the event must be there; whatever else is beside them stays in the services. */
export const scoring = Type.Object({
  technical_score: score,
  technical_feedback: feedback,
  soft_skills_score: score,
  soft_skills_feedback: feedback,
  language_proficiency: score,
  language_proficiency_feedback: feedback,
  weighted_score: score,
  feedback,
  highlights: points,
  suggestions: points,
  duration: Type.Integer({ minimum: 0, maximum: 1_000_000 }),
})
