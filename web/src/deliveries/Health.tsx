import { Skeleton } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import type { DeliveryHealth } from '../../../server/http/settings/delivery-schemas.ts'
import { api } from '../api.ts'
import { grouped } from '../parts/counts.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { inMilliseconds } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './Health.module.css'
import { HealthChart } from './HealthChart.tsx'

/** The last 24 hours at a glance. */
export function Health() {
  const { id } = useOrganization()
  const health = useQuery({
    queryKey: ['deliveries', id, 'health'],
    queryFn: () => api.health(id),
    refetchInterval: 5_000,
  })
  if (health.data === undefined) {
    return health.isError ? (
      <ErrorAlert error={health.error} onRetry={() => void health.refetch()} />
    ) : (
      <Skeleton height={260} radius={14} />
    )
  }
  return (
    <section className={classes.health} aria-label="Health, last 24 hours">
      <dl className={classes.tiles}>
        {tilesOf(health.data).map(({ label, value, note, tone }) => (
          <div key={label} className={classes.tile} data-tone={tone}>
            <dt>{label}</dt>
            <dd>
              {value}
              {note && <span className={classes.note}>{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <HealthChart health={health.data} />
    </section>
  )
}

type Tile = { label: string; value: string; note?: string; tone?: 'failed' }

function tilesOf({ delivered, pending, failed, successRate, answerMilliseconds }: DeliveryHealth): Tile[] {
  return [
    { label: 'Delivered', value: grouped(delivered) },
    { label: 'Pending', value: grouped(pending) },
    { label: 'Failed', value: grouped(failed), ...(failed > 0 && { tone: 'failed' }) },
    { label: 'Success rate', value: successRate === null ? '–' : formatPercent(successRate) },
    {
      label: 'Response time',
      value: answerMilliseconds === null ? '–' : inMilliseconds(answerMilliseconds.p50),
      ...(answerMilliseconds !== null && {
        note: `median; 95% within ${inMilliseconds(answerMilliseconds.p95)}`,
      }),
    },
  ]
}

/** Never rounds up to 100%: that would hide the one that failed. */
function formatPercent(rate: number): string {
  return `${(Math.floor(rate * 1000) / 10).toFixed(1).replace('.0', '')}%`
}
