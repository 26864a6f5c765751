export const kinds = ['results', 'invitations', 'templates'] as const
export type Kind = (typeof kinds)[number]

export type RecordSearch = { search?: string }

export function readKind(kind: string): Kind {
  return kinds.find((one) => one === kind) ?? 'results'
}

export function readSearch({ search }: Record<string, unknown>): RecordSearch {
  return typeof search === 'string' && search.trim() !== '' ? { search: search.trim().slice(0, 254) } : {}
}
