import { useCallback, useState } from 'react'
import type { DeliveryRow } from '../../../server/http/settings/delivery-schemas.ts'

export type Selection = {
  /** Failed deliveries only: nothing else can be retried. */
  ids: string[]
  toggle(id: string): void
  clear(): void
}

/** A row that stops being failed, or leaves the list, is no longer selected. */
export function useSelection(rows: readonly DeliveryRow[]): Selection {
  const [selected, setSelected] = useState<readonly string[]>([])
  // Stable, so that rows are not rendered anew with every refresh.
  const toggle = useCallback(
    (id: string) => setSelected((all) => (all.includes(id) ? all.filter((one) => one !== id) : [...all, id])),
    [],
  )
  return {
    ids: rows.filter((row) => isRetryable(row) && selected.includes(row.id)).map(({ id }) => id),
    toggle,
    clear: () => setSelected([]),
  }
}

export function isRetryable({ status, erased }: DeliveryRow): boolean {
  return status === 'FAILED' && !erased
}
