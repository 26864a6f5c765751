import { useState } from 'react'

/** The token behind the # of this page’s address, where it reaches no server log. */
export function useLinkToken(): string {
  const [token] = useState(() => window.location.hash.slice(1))
  return token
}
