import { keepPreviousData, skipToken, useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { type Filter, toQuery } from './filter.ts'
import { type List, withNewest, withOlder } from './list.ts'

const pageSize = 25
const maxPageSize = 100

/** The filtered list, kept current by polling its first page. */
export function useDeliveries(organizationId: string, filter: Filter) {
  const queries = useQueryClient()
  const queryKey = listKey(organizationId, filter)
  const known = () => queries.getQueryData<List>(queryKey)

  const list = useQuery({
    queryKey,
    queryFn: async () => {
      const limit = Math.min(Math.max(known()?.rows.length ?? 0, pageSize), maxPageSize)
      const page = await api.deliveries(organizationId, { ...toQuery(filter, Date.now()), limit })
      return withNewest(known(), page)
    },
    refetchInterval: 3_000,
    placeholderData: keepPreviousData,
  })

  const loadOlder = useMutation({
    mutationFn: (cursor: string) =>
      api.deliveries(organizationId, { ...toQuery(filter, Date.now()), limit: pageSize, cursor }),
    onSuccess: (page) => queries.setQueryData<List>(queryKey, (list) => list && withOlder(list, page)),
  })

  return { list, loadOlder }
}

/** The rows that are loaded already, without asking for them. */
export function useLoadedRows(organizationId: string, filter: Filter): List['rows'] {
  const { data } = useQuery<List>({ queryKey: listKey(organizationId, filter), queryFn: skipToken })
  return data?.rows ?? []
}

function listKey(organizationId: string, filter: Filter) {
  return ['deliveries', organizationId, 'list', filter]
}
