export type Fault = { error: 'THUMBNAIL_MALFORMED' | 'THUMBNAIL_TOO_COSTLY'; detail: string }

export function malformed(detail: string): Fault {
  return { error: 'THUMBNAIL_MALFORMED', detail }
}

export function tooCostly(detail: string): Fault {
  return { error: 'THUMBNAIL_TOO_COSTLY', detail }
}
