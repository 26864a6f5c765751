import type { DeliveryAttempt } from '../../../server/http/settings/delivery-schemas.ts'
import { inMilliseconds } from '../parts/times.ts'
import classes from './TimingBar.module.css'

/** Where the time of an attempt went. What a kept connection spared is not in it. */
export function TimingBar({ timing }: { timing: DeliveryAttempt['timing'] }) {
  const parts = partsOf(timing)
  if (parts.length === 0) return null
  return (
    <div>
      {/* In thousandths: parts that add up to less than one would not fill the bar. */}
      <div className={classes.bar} aria-hidden>
        {parts.map(({ name, milliseconds }) => (
          <span key={name} data-part={name} style={{ flexGrow: Math.max(milliseconds, 0.001) * 1_000 }} />
        ))}
      </div>
      <ul className={classes.legend} aria-label="Where the time went">
        {parts.map(({ name, milliseconds }) => (
          <li key={name} data-part={name}>
            {name} {inMilliseconds(milliseconds)}
          </li>
        ))}
      </ul>
    </div>
  )
}

function partsOf({ dns, connect, tls, firstByte, total }: DeliveryAttempt['timing']) {
  const known = [
    { name: 'DNS', milliseconds: dns },
    { name: 'Connect', milliseconds: connect },
    { name: 'TLS', milliseconds: tls },
    { name: 'Wait', milliseconds: firstByte },
  ].flatMap(({ name, milliseconds }) => (milliseconds === null ? [] : [{ name, milliseconds }]))
  if (total === null) return known
  const rest = total - known.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  // Without a first byte nothing was read: the rest is what was waited in vain.
  return [...known, { name: firstByte === null ? 'Wait' : 'Read', milliseconds: Math.max(0, rest) }]
}
