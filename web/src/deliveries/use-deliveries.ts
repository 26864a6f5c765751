import {
  keepPreviousData,
  type QueryClient,
  queryOptions,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Filter, toQuery } from './filter.ts'
import { type List, rowsToRefresh, withNewest, withOlder } from './list.ts'

const pageSize = 25
const maxPageSize = 100

/** The filtered list, kept current by polling all of its rows. */
export function useDeliveries(organizationId: string, filter: Filter) {
  const queries = useQueryClient()
  const list = useQuery(listQuery(queries, organizationId, filter))
  return { list, loadOlder: useLoadOlder(organizationId, filter) }
}

/** Adds the next page of older rows to the list. */
export function useLoadOlder(organizationId: string, filter: Filter) {
  const queries = useQueryClient()
  return useMutation({
    // With the list it belongs to: the filter may have changed by the time it arrives.
    mutationFn: async (cursor: string) => {
      const query = { ...toQuery(filter, Date.now()), limit: pageSize, cursor }
      return { page: await api.deliveries(organizationId, query), queryKey: listKey(organizationId, filter) }
    },
    onSuccess: ({ page, queryKey }) => queries.setQueryData<List>(queryKey, (list) => list && withOlder(list, page)),
  })
}

/** What is loaded of the list already, without asking for it. */
export function useLoadedList(organizationId: string, filter: Filter): List | undefined {
  // All observers of a query share the options of the last one, so this one must be able to fetch as well.
  return useQuery({ ...listQuery(useQueryClient(), organizationId, filter), enabled: false }).data
}

function listKey(organizationId: string, filter: Filter) {
  return ['deliveries', organizationId, 'list', filter]
}

function listQuery(queries: QueryClient, organizationId: string, filter: Filter) {
  const queryKey = listKey(organizationId, filter)
  const known = () => queries.getQueryData<List>(queryKey)
  const readPage = (limit: number, cursor?: string) =>
    api.deliveries(organizationId, { ...toQuery(filter, Date.now()), limit, ...(cursor !== undefined && { cursor }) })
  return queryOptions({
    queryKey,
    queryFn: async ({ signal }) => {
      const wanted = rowsToRefresh(known(), { pageSize, slack: maxPageSize - pageSize })
      let page = await readPage(Math.min(wanted, maxPageSize))
      while (page.nextCursor !== null && page.data.length < wanted && !signal.aborted) {
        const { data, nextCursor } = await readPage(Math.min(wanted - page.data.length, maxPageSize), page.nextCursor)
        page = { data: [...page.data, ...data], nextCursor }
      }
      return withNewest(known(), page, wanted)
    },
    // All loaded rows are fetched again, so the more there are, the less often.
    refetchInterval: ({ state }) => 3_000 * Math.ceil((state.data?.rows.length || 1) / maxPageSize),
    placeholderData: keepPreviousData,
  })
}
