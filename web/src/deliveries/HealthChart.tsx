import { useNavigate } from '@tanstack/react-router'
import { type ReactNode, useState } from 'react'
import type { DeliveryHealth } from '../../../server/http/settings/delivery-schemas.ts'
import { counted, grouped } from '../parts/counts.ts'
import { clockTime, shortDay } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './HealthChart.module.css'

type Bucket = DeliveryHealth['buckets'][number]

const width = 960
const height = 112

type HealthChartProps = {
  health: DeliveryHealth
  /** In words, such as `Last 24 hours`. */
  span: string
  /** Chooses the span. */
  children: ReactNode
}

/** Attempts from left to right. Failures hang below the line, so the chart reads without color too. */
export function HealthChart({ health, span, children }: HealthChartProps) {
  const { id } = useOrganization()
  const navigate = useNavigate()
  const [hoveredAt, setHoveredAt] = useState<string | null>(null)
  const { buckets, intervalMinutes } = health
  const hovered = buckets.find(({ at }) => at === hoveredAt)
  const isLong = intervalMinutes > 30
  const scale = scaleFor(buckets)
  const step = width / Math.max(buckets.length, 1)
  const openBucket = ({ at }: Bucket) => {
    const to = new Date(Date.parse(at) + intervalMinutes * 60_000 - 1).toISOString()
    return navigate({ to: '/$organizationId/deliveries', params: { organizationId: id }, search: { from: at, to } })
  }

  return (
    <figure className={classes.figure}>
      <div className={classes.scale} style={{ width: `${scale.digits}ch` }} aria-hidden>
        {scale.marks.map(({ count, at }) => (
          <span key={at} style={{ top: `${at * 100}%` }}>
            {count}
          </span>
        ))}
      </div>
      <svg
        className={classes.chart}
        viewBox={`0 0 ${width} ${height}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={describeHealth(health, span)}
        onPointerLeave={() => setHoveredAt(null)}
      >
        {buckets.map((bucket, index) => {
          const { up, down } = scale.heights(bucket)
          const bar = { x: index * step + step * 0.14, width: step * 0.72 }
          return (
            // biome-ignore lint/a11y/noStaticElementInteractions: a mouse shortcut; the filter does the same
            <g key={bucket.at} onPointerEnter={() => setHoveredAt(bucket.at)} onClick={() => void openBucket(bucket)}>
              <title>{`Show deliveries created ${spanOf(bucket, intervalMinutes)}`}</title>
              <rect className={classes.area} x={index * step} y={0} width={step} height={height} />
              <rect className={classes.delivered} {...bar} y={scale.line - up} height={up} />
              <rect className={classes.failed} {...bar} y={scale.line + 2} height={down} />
            </g>
          )
        })}
        <line className={classes.line} x1={0} x2={width} y1={scale.line + 1} y2={scale.line + 1} />
      </svg>
      <div className={classes.axis} aria-hidden>
        {[0, 1, 2, 3].map((quarter) => {
          const at = buckets[Math.floor((quarter * buckets.length) / 4)]?.at
          return <span key={quarter}>{at && (isLong ? shortDay(at) : clockTime(at))}</span>
        })}
        <span>{isLong ? shortDay(health.until) : clockTime(health.until)}</span>
      </div>
      <figcaption className={classes.caption}>
        <span className={classes.span}>
          {children} Attempts, in {intervalName(intervalMinutes)} intervals
        </span>
        {hovered ? (
          <span className={classes.hovered}>{describeBucket(hovered, intervalMinutes)}</span>
        ) : (
          <span className={classes.legend} aria-hidden>
            <span data-of="delivered">Delivered</span>
            <span data-of="failed">Failed (below the line)</span>
          </span>
        )}
      </figcaption>
    </figure>
  )
}

/** One scale for both sides of the line, but neither side too small to notice. */
function scaleFor(buckets: Bucket[]) {
  const most = Math.max(1, ...buckets.map(({ delivered }) => delivered))
  const mostFailed = Math.max(0, ...buckets.map(({ failed }) => failed))
  const share = mostFailed === 0 ? 0.04 : Math.min(0.75, Math.max(0.22, mostFailed / (most + mostFailed)))
  const line = Math.round(height * (1 - share))
  const perUp = (line - 2) / most
  const perDown = mostFailed === 0 ? 0 : (height - line - 2) / mostFailed
  const atLeast = (count: number, size: number) => (count === 0 ? 0 : Math.max(4, size))
  const marks = [
    { count: grouped(most), at: 0 },
    { count: '0', at: line / height },
    ...(mostFailed > 0 ? [{ count: grouped(mostFailed), at: 1 }] : []),
  ]
  return {
    line,
    /** The numbers beside the chart, from top (0) to bottom (1). */
    marks,
    digits: Math.max(...marks.map(({ count }) => count.length)),
    heights: ({ delivered, failed }: Bucket) => ({
      up: atLeast(delivered, delivered * perUp),
      down: atLeast(failed, failed * perDown),
    }),
  }
}

function describeHealth({ buckets, intervalMinutes }: DeliveryHealth, span: string): string {
  const total = (of: 'delivered' | 'failed') => buckets.reduce((sum, bucket) => sum + bucket[of], 0)
  const worst = buckets.filter((bucket) => bucket.failed > 0).sort((a, b) => b.failed - a.failed)
  const named = worst.slice(0, 5).map((bucket) => `${spanOf(bucket, intervalMinutes)} (${bucket.failed})`)
  const failures = named.length === 0 ? 'No failures.' : `Failures, worst first: ${named.join(', ')}.`
  const counts = `${total('delivered')} delivered, ${total('failed')} failed`
  return `Attempts in ${intervalName(intervalMinutes)} intervals, ${span}: ${counts}. ${failures}`
}

function describeBucket(bucket: Bucket, minutes: number): string {
  const { delivered, failed } = bucket
  const attempts = `${counted(delivered, 'attempt')} delivered`
  return `${spanOf(bucket, minutes)}: ${failed > 0 ? `${attempts}, ${failed} failed` : attempts}`
}

function spanOf({ at }: Bucket, minutes: number): string {
  const day = minutes > 30 ? `${shortDay(at)}, ` : ''
  return `${day}${clockTime(at)}–${clockTime(Date.parse(at) + minutes * 60_000)}`
}

function intervalName(minutes: number): string {
  return minutes < 60 ? `${minutes}-minute` : `${minutes / 60}-hour`
}
