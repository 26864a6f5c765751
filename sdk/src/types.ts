import type { components, operations } from './openapi.ts'

type Schemas = components['schemas']

export type Template = Schemas['Template']
export type TemplateInput = Schemas['TemplateInput']
/** `externalPostingId: null` removes the mapping. */
export type TemplateChanges = Schemas['TemplateChanges']
export type Invitation = Schemas['Invitation']
export type InvitationInput = Schemas['InvitationInput']
export type ResultSummary = Schemas['ResultSummary']

/** The body of the event. */
export type ResultCompleted = Schemas['ResultCompleted']

export type TemplateQuery = NonNullable<operations['listTemplates']['parameters']['query']>
export type ResultQuery = NonNullable<operations['listResults']['parameters']['query']>

export type Page<Item> = { data: Item[]; nextCursor: string | null }
