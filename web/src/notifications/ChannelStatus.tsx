import { Alert } from '@mantine/core'
import type { ChannelProblem, NotificationSettings } from '../../../server/http/settings/notification-schemas.ts'
import { IconAlertTriangle } from '../icons/icons.tsx'
import { Moment } from '../parts/Moment.tsx'
import classes from './ChannelStatus.module.css'

type ChannelStatusProps = {
  noun: 'email' | 'message'
  status: Pick<NotificationSettings['email'], 'waiting' | 'sentAt' | 'problem'>
  describe(problem: ChannelProblem): string
}

/** Whether messages get through: the last one sent, how many wait, and what went wrong since. */
export function ChannelStatus({ noun, status: { waiting, sentAt, problem }, describe }: ChannelStatusProps) {
  const isCurrent = problem !== null && (sentAt === null || problem.at > sentAt)
  return (
    <>
      <p className={classes.status}>
        {sentAt ? (
          <>
            Last {noun} sent <Moment time={sentAt} />
          </>
        ) : (
          `No ${noun} sent yet`
        )}
        {waiting > 0 && ` · ${waiting} waiting`}
        {problem && !isCurrent && (
          <>
            {' '}
            · Last problem <Moment time={problem.at} />: {describe(problem)}
          </>
        )}
      </p>
      {isCurrent && (
        <Alert icon={<IconAlertTriangle aria-hidden />} color="yellow" mt="sm">
          {describe(problem)}. {waiting > 0 ? 'It’s retried automatically.' : 'We gave up on the last message.'} Last
          tried <Moment time={problem.at} />.
        </Alert>
      )}
    </>
  )
}
