import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { useEffect } from 'react'
import { forgetResponses } from '../api.ts'
import { whenReleased } from '../session/page-hold.ts'
import { sessionQuery, useOrganization } from '../session/session.ts'

/**
 * Shows what becomes of the session elsewhere: an admin changes the role, the operator activates the organization, and in
 * another tab someone else signs in, who would act here under the first one's name.
 */
export function useSessionChanges(): void {
  const { session: shown } = useOrganization()
  const queries = useQueryClient()
  const router = useRouter()
  const { data: current } = useQuery({ ...sessionQuery, refetchInterval: 60_000, refetchOnWindowFocus: 'always' })
  useEffect(() => {
    if (current === undefined || current === shown) return
    whenReleased(() => {
      if (current.user.email !== shown.user.email) {
        forgetResponses()
        void queries.resetQueries({ predicate: ({ queryKey }) => queryKey[0] !== sessionQuery.queryKey[0] })
      }
      void router.invalidate()
    })
  }, [current, shown, queries, router])
}
