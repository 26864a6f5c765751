import { Alert } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { CurrentPace } from '../../../server/http/settings/schemas.ts'
import { api } from '../api.ts'
import { IconClock } from '../icons/icons.tsx'
import { counted, grouped } from '../parts/counts.ts'
import { clockTime } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'

/** Says why deliveries wait although nothing fails: the receiver asked for a pause, or the pace is limited. */
export function PaceStatus() {
  const { id } = useOrganization()
  const current = useQuery({ queryKey: ['pace', id], queryFn: () => api.pace(id), refetchInterval: 5_000 })
  const text = current.data && describePace(current.data)
  return (
    <div role="status">
      {text && (
        <Alert role="presentation" color="gray" icon={<IconClock aria-hidden />} mb="lg">
          {text}
        </Alert>
      )}
    </div>
  )
}

function describePace({ pausedUntil, perSecond, maxPerSecond, waiting }: CurrentPace): string | null {
  if (perSecond === null) return null
  const count =
    waiting === mostCounted ? `${grouped(mostCounted)} or more deliveries` : counted(waiting, 'delivery', 'deliveries')
  if (pausedUntil !== null) {
    const until = `Waiting: the receiver asked for a pause until ${clockTime(pausedUntil)}`
    return waiting === 0 ? `${until}.` : `${until} · ${count} waiting`
  }
  // Fewer than that leave within a second.
  if (waiting <= perSecond) return null
  const limit = `at most ${perSecond} a second`
  if (perSecond === maxPerSecond) return `Sending ${limit}, as set for the webhook · ${count} waiting`
  return `Starting again after the pause, ${limit} for now · ${count} waiting`
}

/** The service counts no further. */
const mostCounted = 10_000
