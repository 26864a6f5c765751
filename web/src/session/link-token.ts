import { useEffect, useState } from 'react'

/** The token behind the # of this page’s address, where it reaches no server log. */
export function useLinkToken(): string {
  const [token, setToken] = useState(readToken)
  // A browser that is given another link to this page changes the hash and loads nothing.
  useEffect(() => {
    const { pathname } = window.location
    const follow = () => window.location.pathname === pathname && setToken(readToken())
    window.addEventListener('hashchange', follow)
    return () => window.removeEventListener('hashchange', follow)
  }, [])
  return token
}

function readToken(): string {
  return window.location.hash.slice(1)
}
