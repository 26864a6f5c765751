import { Skeleton } from '@mantine/core'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { NotificationSettings } from '../../../server/http/settings/notification-schemas.ts'
import { api } from '../api.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import { PageHead } from '../parts/PageHead.tsx'
import { useOrganization } from '../session/session.ts'
import { ChatCard } from './ChatCard.tsx'
import { EmailCard } from './EmailCard.tsx'

export function NotificationsPage() {
  const { id } = useOrganization()
  const queries = useQueryClient()
  const current = useQuery({
    queryKey: ['notifications', id],
    queryFn: () => api.notifications(id),
    refetchInterval: 3_000,
  })
  const error = useLastingError(current)
  const store = (settings: NotificationSettings) => {
    // A poll that began before the change would bring back what was there before.
    void queries.cancelQueries({ queryKey: ['notifications', id] })
    queries.setQueryData(['notifications', id], settings)
  }

  return (
    <>
      <PageHead title="Notifications">
        Find out when your webhook starts failing, when it still fails after an hour, and when it works again. Messages
        never contain anything about a candidate.
      </PageHead>
      {current.isPending && error === null && <Skeleton height={220} radius={14} />}
      <ErrorAlert error={error} onRetry={() => void current.refetch()} />
      {current.data && (
        <>
          <EmailCard email={current.data.email} onChanged={store} />
          <ChatCard chat={current.data.chat} onChanged={store} />
        </>
      )}
    </>
  )
}
