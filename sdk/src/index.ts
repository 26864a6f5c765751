export { type Client, createClient } from './client.ts'
export { ApiError, ConnectionError } from './errors.ts'
export { isSample, parseEvent } from './event.ts'
export { type Explanation, explain } from './explain.ts'
export type { HeaderSource } from './headers.ts'
export type { ClientOptions, Retry } from './http.ts'
export { createMemoryStore } from './memory-store.ts'
export type { Cause } from './mistakes.ts'
export {
  type Context,
  createReceiver,
  type NodeRequest,
  type NodeResponse,
  type Receiver,
  type ReceiverOptions,
} from './receiver.ts'
export { reconcile } from './reconcile.ts'
export { sign } from './signature.ts'
export type { ResultStore } from './store.ts'
export type {
  Invitation,
  InvitationInput,
  Page,
  ResultCompleted,
  ResultQuery,
  ResultSummary,
  Template,
  TemplateChanges,
  TemplateInput,
  TemplateQuery,
} from './types.ts'
export { type RawBody, type Refusal, type Verification, type VerifyOptions, verify } from './verify.ts'
