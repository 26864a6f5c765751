import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRouter } from '@tanstack/react-router'
import { api } from '../api.ts'
import { forgetSession, sessionQuery } from './session.ts'

export function useSignOut() {
  const queries = useQueryClient()
  const router = useRouter()
  return useMutation({
    mutationFn: api.signOut,
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSuccess: async () => {
      // The sign-in page leads back to whoever has one.
      queries.removeQueries({ queryKey: sessionQuery.queryKey })
      // The session is over already, so nothing can be saved by staying.
      await router.navigate({ to: '/sign-in', ignoreBlocker: true })
      forgetSession(queries)
    },
  })
}
