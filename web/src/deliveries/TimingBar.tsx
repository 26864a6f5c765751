import type { DeliveryAttempt } from '../../../server/http/settings/delivery-schemas.ts'
import { inMilliseconds } from '../parts/times.ts'
import classes from './TimingBar.module.css'

/** How long each step took. A reused connection has no DNS, connect or TLS step. */
export function TimingBar({ attempt }: { attempt: DeliveryAttempt }) {
  const parts = partsOf(attempt)
  if (parts.length === 0) return null
  return (
    <div>
      {/* In thousandths: flex-grow values that sum to less than 1 would not fill the bar. */}
      <div className={classes.bar} aria-hidden>
        {parts.map(({ name, milliseconds, failed }) => (
          <span
            key={name}
            data-part={name}
            data-failed={failed}
            style={{ flexGrow: Math.max(milliseconds, 0.001) * 1_000 }}
          />
        ))}
      </div>
      <ul className={classes.legend} aria-label="Timing">
        {parts.map(({ name, milliseconds, failed }) => (
          <li key={name} data-part={name} data-failed={failed}>
            {name} {inMilliseconds(milliseconds)}
            {failed && ' (failed)'}
          </li>
        ))}
      </ul>
    </div>
  )
}

type Part = { name: string; milliseconds: number; failed: boolean }

function partsOf({ timing: { dns, connect, tls, firstByte, total }, error, phase }: DeliveryAttempt): Part[] {
  const known = [
    { name: 'DNS', milliseconds: dns },
    { name: 'Connect', milliseconds: connect },
    { name: 'TLS', milliseconds: tls },
    { name: 'Wait', milliseconds: firstByte },
  ].flatMap(({ name, milliseconds }) => (milliseconds === null ? [] : [{ name, milliseconds, failed: false }]))
  if (total === null) return known
  const rest = Math.max(0, total - known.reduce((sum, { milliseconds }) => sum + milliseconds, 0))
  if (firstByte !== null) return [...known, { name: 'Read', milliseconds: rest, failed: false }]
  // Without a first byte, the rest was spent in the step that failed.
  const name = (phase && stepNames[phase]) ?? 'Wait'
  return [...known.filter((part) => part.name !== name), { name, milliseconds: rest, failed: error !== null }]
}

const stepNames: Partial<Record<NonNullable<DeliveryAttempt['phase']>, string>> = {
  resolve: 'DNS',
  wait: 'Queue',
  connect: 'Connect',
  handshake: 'TLS',
}
