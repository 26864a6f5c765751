import { EmptyState, Group, Skeleton, Title } from '@mantine/core'
import { useInfiniteQuery } from '@tanstack/react-query'
import { Fragment } from 'react'
import type { Activity } from '../../../server/http/settings/schemas.ts'
import { activityExport, api } from '../api.ts'
import { type Icon, IconHistory, IconKey, IconRefresh, IconUser, IconWebhook } from '../icons/icons.tsx'
import { Button } from '../parts/Button.tsx'
import { useNow } from '../parts/clock.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { ExportButton } from '../parts/ExportButton.tsx'
import { PageHead } from '../parts/PageHead.tsx'
import table from '../parts/Table.module.css'
import { clockTime, namedDay, toTheSecond } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './ActivityPage.module.css'
import { describeActivity } from './describe-activity.ts'

export function ActivityPage() {
  const { id } = useOrganization()
  const activity = useInfiniteQuery({
    queryKey: ['activity', id],
    queryFn: ({ pageParam }) => api.activity(id, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: ({ nextCursor }) => nextCursor,
  })
  const all = activity.data?.pages.flatMap(({ data }) => data)

  return (
    <>
      <PageHead title="Activity" action={all && all.length > 0 && <ExportButton href={activityExport(id)} />}>
        Who changed what, and when. Secrets are never logged.
      </PageHead>
      {activity.isPending && <Skeleton height={320} radius={14} />}
      <ErrorAlert error={activity.error} onRetry={() => void activity.refetch()} />
      {all?.length === 0 && (
        <EmptyState
          className={table.empty}
          icon={<IconHistory aria-hidden />}
          title="No activity yet"
          description="Changes to API keys, the webhook, and deliveries show up here."
        />
      )}
      {all && all.length > 0 && <Days activities={all} />}
      {activity.hasNextPage && (
        <Group justify="center" mt="md">
          <Button variant="default" onClick={() => void activity.fetchNextPage()} loading={activity.isFetchingNextPage}>
            Load older
          </Button>
        </Group>
      )}
    </>
  )
}

function Days({ activities }: { activities: Activity[] }) {
  const now = useNow()
  const days = Map.groupBy(activities, ({ at }) => namedDay(at, now))
  return (
    <div className={classes.days}>
      {[...days].map(([day, entries]) => (
        <Fragment key={day}>
          <Title order={2} className={classes.day}>
            {day}
          </Title>
          <ul className={classes.list}>
            {entries.map((activity) => (
              <Line key={activity.id} activity={activity} />
            ))}
          </ul>
        </Fragment>
      ))}
    </div>
  )
}

function Line({ activity }: { activity: Activity }) {
  const { text, note } = describeActivity(activity, useNow())
  const Icon = iconOf(activity)
  return (
    <li className={classes.line}>
      <span className={classes.icon} aria-hidden>
        <Icon size={18} stroke={1.75} />
      </span>
      <div className={classes.text}>
        <strong>{activity.actor}</strong> {text}
        {note && <span className={classes.note}>{note}</span>}
      </div>
      <time className={classes.time} dateTime={activity.at} title={toTheSecond(activity.at)}>
        {clockTime(activity.at)}
      </time>
    </li>
  )
}

function iconOf({ action }: Activity): Icon {
  const [kind] = action.split('.', 1)
  return (kind !== undefined && icons[kind]) || IconHistory
}

const icons: Record<string, Icon> = {
  key: IconKey,
  listen_token: IconKey,
  webhook: IconWebhook,
  chat_webhook: IconWebhook,
  delivery: IconRefresh,
  deliveries: IconRefresh,
  member: IconUser,
  candidate: IconUser,
}
