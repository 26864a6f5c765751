import { MutationCache, QueryCache, QueryClient, queryOptions } from '@tanstack/react-query'
import { getRouteApi } from '@tanstack/react-router'
import { ApiError, api, errorOf, forgetResponses, isOffline } from '../api.ts'
import { whenReleased } from './page-hold.ts'

export const sessionQuery = queryOptions({ queryKey: ['session'], queryFn: api.session, staleTime: 60_000 })

/** When a session ends, so does everything it was shown. */
export function forgetSession(queries: QueryClient): void {
  queries.clear()
  forgetResponses()
}

type SessionEvents = {
  onSessionEnded(): void
  /** The part of the page that would say so is about to go away. */
  onGone(error: ApiError): void
}

/** Rejected because of what has become of it since it was shown. */
const conflicts = ['key_not_active', 'not_failed', 'no_pending_secret']
const goneCodes = ['no_webhook', 'no_chat_webhook', 'no_pending_secret']

/** The query cache. A 401 from any request means the session has ended; a 403, that the member's rights changed. */
export function createQueries({ onSessionEnded, onGone }: SessionEvents): QueryClient {
  const checkSession = (error: Error, isExempt: boolean) => {
    if (isExempt || !(error instanceof ApiError)) return
    if (error.status === 401) {
      whenReleased(() => {
        forgetSession(queries)
        onSessionEnded()
      })
    }
    if (error.status === 403) void queries.invalidateQueries({ queryKey: sessionQuery.queryKey })
  }
  // Another admin was faster: what is on screen is out of date.
  const checkCurrent = (error: Error) => {
    if (!(error instanceof ApiError)) return
    if (error.status === 404 || errorOf(error, ...conflicts)) void queries.invalidateQueries()
    if (errorOf(error, ...goneCodes)) onGone(error)
  }
  const queries: QueryClient = new QueryClient({
    queryCache: new QueryCache({
      // Without a session so far, none has ended.
      onError: (error, { queryKey, state }) =>
        checkSession(error, queryKey[0] === sessionQuery.queryKey[0] && state.data === undefined),
    }),
    mutationCache: new MutationCache({
      onError: (error, _variables, _onMutate, mutation) => {
        checkSession(error, mutation.options.mutationKey?.[0] === 'sign-in')
        checkCurrent(error)
      },
    }),
    defaultOptions: {
      // Without a network, fail and say so instead of waiting for it in silence.
      queries: {
        networkMode: 'always',
        retry: (failures, error) => failures < 2 && !isClientError(error) && !isOffline(error),
        refetchOnWindowFocus: true,
      },
      mutations: { networkMode: 'always', retry: false },
    },
  })
  return queries
}

/** A rejected request is rejected again; only network and server errors are worth a retry. */
function isClientError(error: Error): boolean {
  return error instanceof ApiError && error.status >= 400 && error.status < 500
}

/** The organization in the URL and the member's role in it. */
export function useOrganization() {
  const { organization, session } = getRouteApi('/$organizationId').useRouteContext()
  return { ...organization, isAdmin: organization.role === 'admin', session }
}
