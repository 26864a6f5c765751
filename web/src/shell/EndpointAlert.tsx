import { Alert } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import type { CurrentAlert } from '../../../server/http/settings/delivery-schemas.ts'
import { api } from '../api.ts'
import { errorLabels } from '../deliveries/labels.ts'
import { RetryAll } from '../deliveries/RetryAll.tsx'
import { IconAlertTriangle, IconCircleCheck } from '../icons/icons.tsx'
import { useNow } from '../parts/clock.ts'
import { grouped } from '../parts/counts.ts'
import { inFull, toTheSecond } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './EndpointAlert.module.css'

type Failing = Extract<CurrentAlert['alert'], { state: 'failing' }>
type Recovered = Extract<CurrentAlert['alert'], { state: 'recovered' }>

/** Shown on every page while the endpoint fails, and once it works again. */
export function EndpointAlert() {
  const { id } = useOrganization()
  const current = useQuery({ queryKey: ['alert', id], queryFn: () => api.alert(id), refetchInterval: 30_000 })
  const alert = current.data?.alert ?? null
  // Announced once, when it appears: screen readers shouldn't read every new count.
  return (
    <div role="status" aria-relevant="additions">
      {alert?.state === 'failing' && <FailingAlert alert={alert} />}
      {alert?.state === 'recovered' && <RecoveredAlert alert={alert} />}
    </div>
  )
}

function FailingAlert({ alert }: { alert: Failing }) {
  const { id: organizationId, isAdmin } = useOrganization()
  const { since, failures, lastError } = alert
  // The filter goes by creation time, a little before the first attempt.
  const from = new Date(Date.parse(since) - 60_000).toISOString()
  return (
    <Alert role="presentation" color="red" icon={<IconAlertTriangle aria-hidden />} title={failingTitle} mb="lg">
      <p>
        It hasn’t accepted an event since <Since time={since} />. {describeFailures(failures)}. Last error:{' '}
        {errorLabels[lastError]}.
      </p>
      <div className={classes.links}>
        <Link to="/$organizationId/deliveries" params={{ organizationId }} search={{ from }}>
          Show deliveries created since then
        </Link>
        {isAdmin && (
          <Link to="/$organizationId/webhook" params={{ organizationId }}>
            Check webhook
          </Link>
        )}
      </div>
    </Alert>
  )
}

function describeFailures(count: number): string {
  return count === 1 ? 'The last attempt failed' : `${grouped(count)} attempts failed in a row`
}

const failingTitle = 'Your webhook endpoint is failing'

function RecoveredAlert({ alert }: { alert: Recovered }) {
  const { id: organizationId } = useOrganization()
  const [seen, setSeen] = useLocalStorage<string | null>({
    key: `recovery-seen-${organizationId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  const navigate = useNavigate()
  const showProgress = () => void navigate({ to: '/$organizationId/deliveries', params: { organizationId } })
  if (seen === alert.at) return null
  return (
    <Alert
      role="presentation"
      color="pine"
      icon={<IconCircleCheck aria-hidden />}
      title="Your webhook endpoint is working again"
      mb="lg"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setSeen(alert.at)}
    >
      <p>
        It has accepted events since <Since time={alert.at} />. Failed deliveries aren’t retried automatically.
      </p>
      <div className={classes.links}>
        <Link to="/$organizationId/deliveries" params={{ organizationId }} search={{ status: 'FAILED' }}>
          Show failed deliveries
        </Link>
        <RetryAll filter={{}} size="compact-sm" onStarted={showProgress} />
      </div>
    </Alert>
  )
}

/** An absolute time, so the text doesn't change while it is on screen. */
function Since({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={toTheSecond(time)}>
      {inFull(time, now)}
    </time>
  )
}
