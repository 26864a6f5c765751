/** The filter as it appears in the URL. */
export type RequestFilter = { requestId?: string; only?: 'errors' }

export function readRequestFilter({ requestId, only }: Record<string, unknown>): RequestFilter {
  return {
    ...(typeof requestId === 'string' && requestId.trim() !== '' && { requestId: requestId.trim().slice(0, 128) }),
    ...(only === 'errors' && { only }),
  }
}
