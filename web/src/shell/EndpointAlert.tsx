import { Alert } from '@mantine/core'
import { useLocalStorage } from '@mantine/hooks'
import { IconAlertTriangle, IconCircleCheck } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import type { CurrentAlert } from '../../../server/http/settings/delivery-schemas.ts'
import { api } from '../api.ts'
import { errorWords } from '../deliveries/words.ts'
import { useNow } from '../parts/clock.ts'
import { counted } from '../parts/counts.ts'
import { inFull, toTheSecond } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './EndpointAlert.module.css'

type Failing = Extract<CurrentAlert['alert'], { state: 'failing' }>
type Recovered = Extract<CurrentAlert['alert'], { state: 'recovered' }>

/** On every page: the endpoint accepts nothing, or does so again. */
export function EndpointAlert() {
  const { id } = useOrganization()
  const current = useQuery({ queryKey: ['alert', id], queryFn: () => api.alert(id), refetchInterval: 30_000 })
  const alert = current.data?.alert ?? null
  // Said once, as it appears: a count that grows is no news to somebody who listens.
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
  return (
    <Alert role="presentation" color="red" icon={<IconAlertTriangle aria-hidden />} title={failingTitle} mb="lg">
      <p>
        It has accepted nothing since <Since time={since} />: {counted(failures, 'attempt')} failed in a row. Last
        error: {errorWords[lastError]}.
      </p>
      <p className={classes.ways}>
        <Link to="/$organizationId/deliveries" params={{ organizationId }} search={{ error: lastError }}>
          Show these deliveries
        </Link>
        {isAdmin && (
          <Link to="/$organizationId/webhook" params={{ organizationId }}>
            Check the webhook
          </Link>
        )}
      </p>
    </Alert>
  )
}

const failingTitle = 'Your webhook endpoint is failing'

function RecoveredAlert({ alert }: { alert: Recovered }) {
  const { id: organizationId } = useOrganization()
  const [seen, setSeen] = useLocalStorage<string | null>({
    key: `recovery-seen-${organizationId}`,
    defaultValue: null,
    getInitialValueInEffect: false,
  })
  if (seen === alert.at) return null
  return (
    <Alert
      role="presentation"
      color="pine"
      icon={<IconCircleCheck aria-hidden />}
      title="Your webhook endpoint works again"
      mb="lg"
      withCloseButton
      closeButtonLabel="Close"
      onClose={() => setSeen(alert.at)}
    >
      <p>
        It has accepted events since <Since time={alert.at} />. Deliveries marked Failed are not sent again by
        themselves.
      </p>
      <p className={classes.ways}>
        <Link to="/$organizationId/deliveries" params={{ organizationId }} search={{ status: 'FAILED' }}>
          Show what failed
        </Link>
      </p>
    </Alert>
  )
}

/** The moment itself, not how long ago: it stays as it was said. */
function Since({ time }: { time: string }) {
  const now = useNow()
  return (
    <time dateTime={time} title={toTheSecond(time)}>
      {inFull(time, now)}
    </time>
  )
}
