import { Button, EmptyState, Skeleton } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { IconKey, IconPlus } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import classes from './KeysPage.module.css'
import { KeyTable } from './KeyTable.tsx'
import { NewKeyDialog } from './NewKeyDialog.tsx'

export function KeysPage() {
  const { id } = useOrganization()
  const [making, { open, close }] = useDisclosure()
  const keys = useQuery({ queryKey: ['keys', id], queryFn: () => api.keys(id) })
  const newKey = (
    <Button leftSection={<IconPlus size={18} aria-hidden />} onClick={open}>
      New key
    </Button>
  )
  const isEmpty = keys.data?.data.length === 0

  return (
    <>
      <PageHead title="API keys" action={isEmpty ? undefined : newKey}>
        What your recruiting system shows when it calls the API under /v1. Make one for each system, with no more than
        it needs.
      </PageHead>
      {keys.isPending && <Skeleton height={240} radius={14} />}
      <ErrorAlert error={keys.error} onRetry={() => void keys.refetch()} />
      {isEmpty && (
        <EmptyState
          className={classes.empty}
          icon={<IconKey aria-hidden />}
          title="No keys yet"
          description="Make the first one: with it your system can create templates, invite candidates and read results."
        >
          <EmptyState.Actions>{newKey}</EmptyState.Actions>
        </EmptyState>
      )}
      {keys.data && !isEmpty && <KeyTable keys={keys.data.data} />}
      <NewKeyDialog opened={making} onClose={close} />
    </>
  )
}
