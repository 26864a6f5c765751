import { EmptyState, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../api.ts'
import { IconKey, IconPlus } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import { PageHead } from '../parts/PageHead.tsx'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import { KeyTable } from './KeyTable.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'

export function KeysPage() {
  const { id } = useOrganization()
  const [creating, { open, close }] = useDisclosure()
  // The button is in the empty state first, then in the page's head.
  const newKeyRef = useRef<HTMLButtonElement>(null)
  const keys = useInfiniteQuery({
    queryKey: ['keys', id],
    queryFn: ({ pageParam }) => api.keys(id, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
    refetchInterval: 15_000,
  })
  const error = useLastingError(keys)
  const all = keys.data?.pages.flatMap(({ data }) => data)
  const newKey = (
    <ChangeButton ref={newKeyRef} leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
      New key
    </ChangeButton>
  )
  const isEmpty = all?.length === 0

  return (
    <>
      <PageHead title="API keys" action={isEmpty ? undefined : newKey}>
        Your systems use these keys to call the API. Create one per system, with only the permissions it needs.
      </PageHead>
      {keys.isPending && error === null && <Skeleton height={240} radius={14} />}
      <ErrorAlert error={error} onRetry={() => void keys.refetch()} />
      {isEmpty && (
        <EmptyState
          className={table.empty}
          icon={<IconKey aria-hidden />}
          title="No keys yet"
          description="Create a key so your system can create templates, invite candidates, and read results."
        >
          <EmptyState.Actions>{newKey}</EmptyState.Actions>
        </EmptyState>
      )}
      {all && !isEmpty && <KeyTable keys={all} />}
      {keys.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => void keys.fetchNextPage()} loading={keys.isFetchingNextPage}>
            Load older
          </Button>
        </Group>
      )}
      <NewKeyDialog opened={creating} onClose={close} onClosed={() => newKeyRef.current?.focus()} />
    </>
  )
}
