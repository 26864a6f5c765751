import { useQueryClient } from '@tanstack/react-query'
import type { AnyRouter } from '@tanstack/react-router'
import { useEffect, useRef } from 'react'
import { api } from '../api.ts'
import { reportFailure, useConnection } from '../connection.ts'

/** While the service can't be reached, tries again every few seconds; then reloads whatever is on screen. */
export function Reconnect({ router }: { router: AnyRouter }) {
  const { isConnected } = useConnection()
  const queries = useQueryClient()
  const wasConnected = useRef(true)

  useEffect(() => {
    const returned = isConnected && !wasConnected.current
    wasConnected.current = isConnected
    if (returned) void queries.invalidateQueries().then(() => router.invalidate())
    if (isConnected) return
    // Its outcome reaches us through the connection.
    const probe = () => void api.session().catch(() => {})
    const timer = window.setInterval(probe, 3_000)
    window.addEventListener('online', probe)
    return () => {
      window.clearInterval(timer)
      window.removeEventListener('online', probe)
    }
  }, [isConnected, queries, router])

  useEffect(() => {
    window.addEventListener('offline', reportFailure)
    return () => window.removeEventListener('offline', reportFailure)
  }, [])
  return null
}
