import { EmptyState, Group, SegmentedControl, Skeleton, Table, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { getRouteApi, useNavigate } from '@tanstack/react-router'
import type { RequestPage } from '../../../server/http/settings/request-schemas.ts'
import { api } from '../api.ts'
import { IconListDetails } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { CopyText } from '../parts/CopyText.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import { Moment } from '../parts/Moment.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { SearchInput } from '../parts/SearchInput.tsx'
import table from '../parts/Table.module.css'
import { inMilliseconds } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './RequestsPage.module.css'
import { readRequestFilter } from './request-filter.ts'

const route = getRouteApi('/$organizationId/admins/requests')

/** The /v1 requests of the last seven days. The filter is in the URL, so a view can be shared. */
export function RequestsPage() {
  const { id } = useOrganization()
  const filter = route.useSearch()
  const navigate = useNavigate()
  const change = (next: Record<string, unknown>) =>
    void navigate({
      to: '/$organizationId/requests',
      params: { organizationId: id },
      search: readRequestFilter({ ...filter, ...next }),
      replace: true,
      resetScroll: false,
    })
  const requests = useInfiniteQuery({
    queryKey: ['requests', id, filter],
    queryFn: ({ pageParam }) => api.requests(id, { ...filter, ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Every loaded page is fetched again, so the more there are, the less often.
    refetchInterval: ({ state }) => 5_000 * Math.max(1, state.data?.pages.length ?? 1),
  })
  const error = useLastingError(requests)
  const isFiltered = Object.keys(filter).length > 0
  const all = requests.data?.pages.flatMap(({ data }) => data)

  return (
    <>
      <PageHead title="Requests">
        API requests of the last 7 days, without their bodies. New ones show up within seconds.
      </PageHead>
      <search className={classes.bar} aria-label="Filter requests">
        <SearchInput
          className={classes.search}
          label="Search by request ID"
          placeholder="Request ID (X-Request-Id)"
          value={filter.requestId ?? ''}
          maxLength={128}
          onSearch={(requestId) => change({ requestId })}
        />
        <SegmentedControl
          aria-label="Which requests"
          data={[
            { value: '', label: 'All' },
            { value: 'errors', label: 'Errors' },
          ]}
          value={filter.only ?? ''}
          onChange={(only) => change({ only })}
        />
      </search>
      {requests.isPending && error === null && <Skeleton height={240} radius={14} />}
      <ErrorAlert error={error} onRetry={() => void requests.refetch()} />
      {all?.length === 0 && (
        <EmptyState
          className={table.empty}
          icon={<IconListDetails aria-hidden />}
          title={isFiltered ? 'No matching requests' : 'No requests yet'}
          description={
            isFiltered
              ? 'Requests older than 7 days, or without a valid API key, aren’t listed.'
              : 'Requests with a valid API key show up here.'
          }
        />
      )}
      {all && all.length > 0 && <RequestTable requests={all} />}
      {requests.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => void requests.fetchNextPage()} loading={requests.isFetchingNextPage}>
            Load older
          </Button>
        </Group>
      )}
    </>
  )
}

function RequestTable({ requests }: { requests: RequestPage['data'] }) {
  return (
    <div className={table.frame}>
      <Table className={`${table.stacked} ${classes.table}`}>
        <Table.Caption className={table.caption}>
          <VisuallyHidden>Requests, newest first</VisuallyHidden>
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            {['Time', 'Request', 'Status', 'Key', 'Duration'].map((label) => (
              <Table.Th key={label} scope="col">
                {label}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {requests.map((request) => (
            <Table.Tr key={request.id} className={table.row}>
              <Table.Td data-label="Time" className={classes.short}>
                <Moment time={request.at} />
              </Table.Td>
              <Table.Td data-label="Request">
                <div>
                  <code className={classes.route}>
                    {request.method} {request.route}
                  </code>
                  <CopyText name="request ID" text={request.requestId} />
                </div>
              </Table.Td>
              <Table.Td data-label="Status">
                <div>
                  <span className={classes.status} data-failed={request.status >= 400}>
                    {request.status}
                  </span>
                  {request.error && <span className={table.dimmed}>{request.error}</span>}
                </div>
              </Table.Td>
              <Table.Td data-label="Key">
                <bdi>{request.keyLabel}</bdi>
              </Table.Td>
              <Table.Td data-label="Duration" className={classes.short}>
                {inMilliseconds(request.milliseconds)}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  )
}
