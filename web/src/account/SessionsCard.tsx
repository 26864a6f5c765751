import { Skeleton } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import type { ListedSession } from '../../../server/http/settings/member-schemas.ts'
import { api } from '../api.ts'
import { Button } from '../parts/Button.tsx'
import { Card } from '../parts/Card.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { focusIfLost } from '../parts/focus.ts'
import { Moment } from '../parts/Moment.tsx'
import { deviceName } from './device-name.ts'
import classes from './SessionsCard.module.css'

export function SessionsCard() {
  const queries = useQueryClient()
  const sessions = useQuery({ queryKey: ['sessions'], queryFn: api.sessions })
  const heading = useRef<HTMLHeadingElement>(null)
  const refresh = async () => {
    await queries.invalidateQueries({ queryKey: ['sessions'] })
    focusIfLost(heading.current)
  }
  const endOthers = useMutation({
    mutationFn: api.endOtherSessions,
    onSuccess: async () => {
      await refresh()
      notifications.show({ message: 'Signed out everywhere else.' })
    },
  })
  const hasOthers = (sessions.data?.data.length ?? 0) > 1
  return (
    <Card
      title="Sessions"
      headingRef={heading}
      description="The browsers you’re signed in with. End those you don’t recognize and change your password."
      aside={
        hasOthers && (
          <Button variant="default" onClick={() => endOthers.mutate()} loading={endOthers.isPending}>
            Sign out everywhere else
          </Button>
        )
      }
    >
      {sessions.isPending && <Skeleton height={80} />}
      <ErrorAlert error={sessions.error ?? endOthers.error} />
      <ul className={classes.list}>
        {sessions.data?.data.map((session) => (
          <Row key={session.id} session={session} onEnded={refresh} />
        ))}
      </ul>
    </Card>
  )
}

function Row({ session, onEnded }: { session: ListedSession; onEnded(): Promise<void> }) {
  const device = deviceName(session.userAgent)
  const end = useMutation({
    mutationFn: () => api.endSession(session.id),
    onError: (error) => notifications.show({ color: 'red', message: error.message }),
    onSuccess: async () => {
      await onEnded()
      notifications.show({ message: 'Session ended.' })
    },
  })
  return (
    <li className={classes.session}>
      <div>
        <span className={classes.device}>{device}</span>
        <span className={classes.dimmed}>
          {session.address ?? 'Unknown address'}, last seen <Moment time={session.lastSeenAt} />
        </span>
      </div>
      {session.current ? (
        <span className={classes.current}>This browser</span>
      ) : (
        <Button
          size="compact-sm"
          variant="default"
          loading={end.isPending}
          onClick={() => end.mutate()}
          aria-label={`End the session on ${device}, ${session.address ?? 'unknown address'}`}
        >
          End
        </Button>
      )}
    </li>
  )
}
