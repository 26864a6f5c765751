import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import type { DeliveryHealth } from '../../../server/http/settings/delivery-schemas.ts'
import { counted } from '../parts/counts.ts'
import { clockTime } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './HealthChart.module.css'

type Bucket = DeliveryHealth['buckets'][number]

const width = 960
const height = 112
const halfHour = 1_800_000

/** Half hours from left to right. Failures hang below the line, so the chart reads without color too. */
export function HealthChart({ health }: { health: DeliveryHealth }) {
  const { id } = useOrganization()
  const navigate = useNavigate()
  const [hovered, setHovered] = useState<Bucket | null>(null)
  const { buckets } = health
  const scale = scaleFor(buckets)
  const step = width / Math.max(buckets.length, 1)
  const openBucket = ({ at }: Bucket) => {
    const to = new Date(Date.parse(at) + halfHour - 1).toISOString()
    return navigate({ to: '/$organizationId/deliveries', params: { organizationId: id }, search: { from: at, to } })
  }

  return (
    <figure className={classes.figure}>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeHealth(health)}
        onPointerLeave={() => setHovered(null)}
      >
        {buckets.map((bucket, index) => {
          const { up, pending, down } = scale.heights(bucket)
          const bar = { x: index * step + step * 0.14, width: step * 0.72 }
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: a mouse shortcut; the filter does the same
            <g key={bucket.at} onPointerEnter={() => setHovered(bucket)} onClick={() => void openBucket(bucket)}>
              <rect className={classes.area} x={index * step} y={0} width={step} height={height} />
              <rect className={classes.delivered} {...bar} y={scale.line - up} height={up - pending} />
              <rect className={classes.pending} {...bar} y={scale.line - pending} height={pending} />
              <rect className={classes.failed} {...bar} y={scale.line + 2} height={down} />
            </g>
          )
        })}
        <line className={classes.line} x1={0} x2={width} y1={scale.line + 1} y2={scale.line + 1} />
      </svg>
      <div className={classes.axis} aria-hidden>
        {[0, 12, 24, 36].map((index) => (
          <span key={index}>{buckets[index] && clockTime(buckets[index].at)}</span>
        ))}
        <span>now</span>
      </div>
      <figcaption className={classes.caption}>
        <span>Last 24 hours, in 30-minute intervals</span>
        {hovered ? (
          <span className={classes.hovered}>{describeBucket(hovered)}</span>
        ) : (
          <span className={classes.legend} aria-hidden>
            <span data-of="delivered">Delivered</span>
            <span data-of="pending">Pending</span>
            <span data-of="failed">Failed (below the line)</span>
          </span>
        )}
      </figcaption>
    </figure>
  )
}

/** One scale for both sides of the line, but neither side too small to notice. */
function scaleFor(buckets: Bucket[]) {
  const most = Math.max(1, ...buckets.map(({ delivered, pending }) => delivered + pending))
  const mostFailed = Math.max(0, ...buckets.map(({ failed }) => failed))
  const share = mostFailed === 0 ? 0.04 : Math.min(0.75, Math.max(0.22, mostFailed / (most + mostFailed)))
  const line = Math.round(height * (1 - share))
  const perUp = (line - 2) / most
  const perDown = mostFailed === 0 ? 0 : (height - line - 2) / mostFailed
  const atLeast = (count: number, size: number) => (count === 0 ? 0 : Math.max(4, size))
  return {
    line,
    heights({ delivered, pending, failed }: Bucket) {
      const waiting = atLeast(pending, pending * perUp)
      return {
        pending: waiting,
        up: waiting + atLeast(delivered, delivered * perUp),
        down: atLeast(failed, failed * perDown),
      }
    },
  }
}

function describeHealth({ delivered, pending, failed, buckets }: DeliveryHealth): string {
  const worst = buckets.filter((bucket) => bucket.failed > 0).sort((a, b) => b.failed - a.failed)
  const named = worst.slice(0, 5).map((bucket) => `${spanOf(bucket)} (${bucket.failed})`)
  const failures = named.length === 0 ? 'No failures.' : `Failures, worst first: ${named.join(', ')}.`
  return `Last 24 hours in 30-minute intervals: ${delivered} delivered, ${pending} pending, ${failed} failed. ${failures}`
}

function describeBucket(bucket: Bucket): string {
  const { delivered, pending, failed } = bucket
  const parts = [`${counted(delivered, 'delivered', 'delivered')}`]
  if (pending > 0) parts.push(`${pending} pending`)
  if (failed > 0) parts.push(`${failed} failed`)
  return `${spanOf(bucket)}: ${parts.join(', ')}`
}

function spanOf({ at }: Bucket): string {
  return `${clockTime(at)}–${clockTime(Date.parse(at) + halfHour)}`
}
