import { EmptyState, Group, Skeleton, Table, VisuallyHidden } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { isOffline } from '../api.ts'
import { IconSearchOff } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import classes from './RecordList.module.css'
import type { Kind } from './search.ts'

type RecordListProps<Row> = {
  kind: Kind
  search: string | undefined
  load(
    organizationId: string,
    query: { search?: string; cursor?: string },
  ): Promise<{
    data: Row[]
    nextCursor: string | null
  }>
  columns: { label: string; cell(row: Row): ReactNode }[]
  /** What this list shows once there is something. */
  empty: string
}

/** A read-only list, newest first. On a phone each row is a card. */
export function RecordList<Row extends { id: string }>(props: RecordListProps<Row>) {
  const { kind, search, load, columns, empty } = props
  const { id } = useOrganization()
  const list = useInfiniteQuery({
    queryKey: ['records', id, kind, search],
    queryFn: ({ pageParam }) =>
      load(id, { ...(search !== undefined && { search }), ...(pageParam !== null && { cursor: pageParam }) }),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    // Polling reads every page that is loaded.
    refetchInterval: ({ state }) => 15_000 * Math.max(1, state.data?.pages.length ?? 1),
  })
  const error = useLastingError(list)
  const rows = list.data?.pages.flatMap(({ data }) => data)
  return (
    <>
      {list.isPending && <Skeleton height={240} radius={14} />}
      <ErrorAlert error={list.data && isOffline(error) ? null : error} onRetry={() => void list.refetch()} />
      {rows?.length === 0 && (
        <EmptyState
          className={table.empty}
          icon={<IconSearchOff aria-hidden />}
          title={search === undefined ? `No ${kind} yet` : `No matching ${kind}`}
          description={search === undefined ? empty : 'Clear the search to see all of them.'}
        />
      )}
      {rows && rows.length > 0 && (
        <div className={table.frame}>
          <Table className={`${table.stacked} ${classes.table}`}>
            <Table.Caption className={table.caption}>
              <VisuallyHidden>{kind}, newest first</VisuallyHidden>
            </Table.Caption>
            <Table.Thead>
              <Table.Tr>
                {columns.map(({ label }) => (
                  <Table.Th key={label} scope="col">
                    {label}
                  </Table.Th>
                ))}
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rows.map((row) => (
                <Table.Tr key={row.id} className={table.row}>
                  {columns.map(({ label, cell }) => (
                    <Table.Td key={label} data-label={label}>
                      <div>{cell(row)}</div>
                    </Table.Td>
                  ))}
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </div>
      )}
      {list.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => void list.fetchNextPage()} loading={list.isFetchingNextPage}>
            Load older
          </Button>
        </Group>
      )}
    </>
  )
}
