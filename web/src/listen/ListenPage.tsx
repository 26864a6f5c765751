import { Alert, EmptyState, Group, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { useInfiniteQuery } from '@tanstack/react-query'
import { useRef } from 'react'
import { api } from '../api.ts'
import { IconInfoCircle, IconPlus, IconTerminal2 } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import table from '../parts/Table.module.css'
import { useOrganization } from '../session/session.ts'
import { ListenTokenTable } from './ListenTokenTable.tsx'
import { NewListenTokenDialog } from './NewListenTokenDialog.tsx'

export function ListenPage() {
  const { id } = useOrganization()
  const [creating, { open, close }] = useDisclosure()
  // The button is in the empty state first, then in the page's head.
  const newTokenRef = useRef<HTMLButtonElement>(null)
  const tokens = useInfiniteQuery({
    queryKey: ['listen-tokens', id],
    queryFn: ({ pageParam }) => api.listenTokens(id, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const [first] = tokens.data?.pages ?? []
  const all = tokens.data?.pages.flatMap(({ data }) => data)
  const isEmpty = all?.length === 0
  const newToken = first?.enabled && (
    <ChangeButton ref={newTokenRef} leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
      New token
    </ChangeButton>
  )

  return (
    <>
      <PageHead title="Listen" action={isEmpty ? undefined : newToken}>
        Get copies of your events on your own machine while you build a receiver: no public address, no tunnel, no
        certificate. Your webhook is not affected.
      </PageHead>
      {tokens.isPending && <Skeleton height={240} radius={14} />}
      <ErrorAlert error={tokens.error} onRetry={() => void tokens.refetch()} />
      {first?.enabled === false && (
        <Alert icon={<IconInfoCircle aria-hidden />} mb="md">
          Listening is turned off on this server.
        </Alert>
      )}
      {isEmpty && first?.enabled && (
        <EmptyState
          className={table.empty}
          icon={<IconTerminal2 aria-hidden />}
          title="No listen tokens yet"
          description="Create a token to listen from your terminal. It works for 24 hours, for this organization only."
        >
          <EmptyState.Actions>{newToken}</EmptyState.Actions>
        </EmptyState>
      )}
      {all && !isEmpty && <ListenTokenTable tokens={all} />}
      {tokens.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => void tokens.fetchNextPage()} loading={tokens.isFetchingNextPage}>
            Load older
          </Button>
        </Group>
      )}
      {first && (
        <NewListenTokenDialog
          opened={creating}
          serverUrl={first.serverUrl}
          onClose={close}
          onClosed={() => newTokenRef.current?.focus()}
        />
      )}
    </>
  )
}
