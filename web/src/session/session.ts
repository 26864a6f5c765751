import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError, api } from '../api.ts'

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: api.session, staleTime: 60_000 })

/** Where all answers are kept. A 401 on any of them means that the session is over. */
export function createQueries({ onSessionEnded }: { onSessionEnded(): void }): QueryClient {
  const watch = (error: Error, isSignIn: boolean) => {
    if (isSignIn || !(error instanceof ApiError) || error.status !== 401) return
    queries.clear()
    onSessionEnded()
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({ onError: (error, query) => watch(error, query.queryKey[0] === 'session') }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _onMutate, mutation) =>
        watch(error, mutation.options.mutationKey?.[0] === 'sign-in'),
    }),
    defaultOptions: {
      queries: { retry: (failures, error) => failures < 2 && !isAnswer(error), refetchOnWindowFocus: true },
      mutations: { retry: false },
    },
  })
  return queries
}

/** What the service refused once it refuses again; only a fault on the way is worth another try. */
function isAnswer(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** The organization in the address, as the member sees it. */
export function useOrganization() {
  const { organization, session } = getRouteApi('/$organizationId').useRouteContext()
  return { ...organization, isAdmin: organization.role === 'admin', session }
}
