import { Skeleton } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DeliveryHealth } from '../../../server/http/settings/delivery-schemas.ts'
import { api, isOffline } from '../api.ts'
import { grouped } from '../parts/counts.ts'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { useLastingError } from '../parts/lasting-error.ts'
import { inMilliseconds } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './Health.module.css'
import { HealthChart } from './HealthChart.tsx'
import { HealthSpanSelect } from './HealthSpanSelect.tsx'
import { type HealthSpan, nameOf, spanError, toHealthQuery } from './health-span.ts'

/** Delivery health at a glance, over the last 24 hours unless chosen otherwise. */
export function Health() {
  const { id } = useOrganization()
  const [chosen, setChosen] = useState<HealthSpan>({ last: 'day' })
  // What is shown: the last choice that makes sense.
  const [span, setSpan] = useState(chosen)
  const choose = (next: HealthSpan) => {
    setChosen(next)
    if (spanError(next, Date.now()) === null) setSpan(next)
  }
  const health = useQuery({
    queryKey: ['deliveries', id, 'health', span],
    queryFn: () => api.health(id, toHealthQuery(span, Date.now())),
    refetchInterval: 5_000,
    placeholderData: keepPreviousData,
  })
  const error = useLastingError(health)
  if (health.data === undefined) {
    if (error === null) return <Skeleton height={260} radius={14} />
    return <ErrorAlert error={error} onRetry={() => void health.refetch()} />
  }
  const name = nameOf(span)
  return (
    <section className={classes.health} aria-label={`Health, ${name}`}>
      <dl className={classes.tiles}>
        {tilesOf(health.data).map(({ label, value, note, tone }) => (
          <div key={label} className={classes.tile} data-tone={tone}>
            <dt>{label}</dt>
            <dd>
              <span>{value}</span>
              {note && <span className={classes.note}>{note}</span>}
            </dd>
          </div>
        ))}
      </dl>
      <HealthChart health={health.data} span={name}>
        <HealthSpanSelect span={chosen} onChange={choose} />
      </HealthChart>
      {!isOffline(error) && <ErrorAlert error={error} />}
    </section>
  )
}

type Tile = { label: string; value: string; note?: string; tone?: 'failed' }

function tilesOf({ delivered, pending, retrying, failed, successRate, answerMilliseconds }: DeliveryHealth): Tile[] {
  return [
    { label: 'Delivered', value: grouped(delivered) },
    {
      label: 'Pending',
      value: grouped(pending),
      ...(retrying > 0 && { note: `${grouped(retrying)} failed, being retried` }),
    },
    { label: 'Failed', value: grouped(failed), ...(failed > 0 && { tone: 'failed' }) },
    {
      label: 'Success rate',
      value: successRate === null ? '–' : formatPercent(successRate),
      ...(successRate !== null && { note: 'of attempts' }),
    },
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
