import { useState } from 'react'

/**
 * The error of a query that is asked again and again. While it runs once more and there is nothing else to show, the error
 * stays: otherwise the page would change between error and placeholder with every try.
 */
export function useLastingError({ data, error }: { data: unknown; error: Error | null }): Error | null {
  const [last, setLast] = useState(error)
  const shown = error ?? (data === undefined ? last : null)
  if (shown !== last) setLast(shown)
  return shown
}
