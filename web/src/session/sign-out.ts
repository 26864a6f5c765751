import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../api.ts'
import { forgetSession } from './session.ts'

export function useSignOut() {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: api.signOut,
    onSuccess: async () => {
      // The session is over already, so nothing can be saved by staying.
      await router.navigate({ to: '/sign-in', ignoreBlocker: true })
      forgetSession(queries)
    },
  })
}
