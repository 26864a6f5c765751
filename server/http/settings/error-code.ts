import type { FastifyInstance } from 'fastify'
import { type ErrorCode, Refusal } from '../errors.ts'

/** Tells the page which error it got, so it can show it on the right field without parsing the text. */
export function nameErrors(app: FastifyInstance): void {
  app.addHook('onError', async (_request, reply, error) => {
    if (error instanceof Refusal) reply.headers(codeHeader(error.code))
  })
}

export function codeHeader(code: ErrorCode): { 'x-error-code': ErrorCode } {
  return { 'x-error-code': code }
}
