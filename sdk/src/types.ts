import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']

/** The service treats null in these optional fields as not given. */
type OrNull<Input, Field extends keyof Input> = Omit<Input, Field> & { [Name in Field]?: Input[Name] | null }

export type Template = Schemas['Template']
export type TemplateInput = OrNull<Schemas['TemplateInput'], 'externalPostingId' | 'whiteboardEnabled'>
/** `externalPostingId: null` removes the mapping. */
export type TemplateChanges = OrNull<Schemas['TemplateChanges'], 'title' | 'description' | 'whiteboardEnabled'>
export type Invitation = Schemas['Invitation']
export type InvitationInput = OrNull<Omit<Schemas['InvitationInput'], 'candidate'>, 'expiresInDays'> & {
  candidate: OrNull<Schemas['CandidateInput'], 'lastName'>
}
export type ResultSummary = Schemas['ResultSummary']

/** The body of the event. */
export type ResultCompleted = Schemas['ResultCompleted']

export type TemplateQuery = NonNullable<operations['listTemplates']['parameters']['query']>
export type ResultQuery = NonNullable<operations['listResults']['parameters']['query']>

export type Page<Item> = { data: Item[]; nextCursor: string | null }
