import type { ReactNode } from 'react'
import type { Preflight } from '../../../server/http/settings/schemas.ts'
import { counted } from '../parts/counts.ts'
import { onlyDay } from '../parts/times.ts'
import classes from './PreflightResult.module.css'
import { ResultIcon } from './ResultIcon.tsx'

const expiryWarningDays = 21

/** What the service sees at the URL: every IP address, then TLS and the certificate. */
export function PreflightResult({ preflight }: { preflight: Preflight }) {
  const { addresses, tls, detail } = preflight
  return (
    <div className={classes.result} role="status">
      <h3 className={classes.title}>Endpoint check</h3>
      <ul className={classes.list}>
        {addresses.map(({ address, allowed, reason }) => (
          <Line key={address} ok={allowed}>
            <code>{address}</code> {reason === null ? (allowed ? 'is public' : 'is not allowed') : `is ${reason}`}
          </Line>
        ))}
        {addresses.length === 0 && detail && <Line ok={false}>{asSentence(detail)}</Line>}
        {tls && <Tls tls={tls} />}
        {!tls && addresses.some(({ allowed }) => !allowed) && (
          <li className={classes.dimmed}>TLS wasn’t checked: the service doesn’t connect to a blocked address.</li>
        )}
      </ul>
    </div>
  )
}

/** Where it stands alone. After a colon it goes on in lower case. */
function asSentence(detail: string): string {
  return detail.charAt(0).toUpperCase() + detail.slice(1)
}

function Tls({ tls }: { tls: NonNullable<Preflight['tls']> }) {
  const { ok, code, phase, detail, protocol, certificate } = tls
  const failure = phase === 'connect' ? 'Could not connect' : 'TLS failed'
  return (
    <>
      <Line ok={ok}>
        {ok ? `${protocol ?? 'TLS'} works` : `${failure}: ${detail ?? 'unknown reason'}${code ? ` (${code})` : ''}`}
      </Line>
      {certificate && (
        <Line ok={certificate.daysLeft >= expiryWarningDays} isWarning={certificate.daysLeft >= 0 && ok}>
          Certificate for {certificate.subject} from {certificate.issuer},{' '}
          {certificate.daysLeft < 0
            ? `expired on ${onlyDay(certificate.validTo)}`
            : `valid until ${onlyDay(certificate.validTo)} (${counted(certificate.daysLeft, 'day')} left)`}
        </Line>
      )}
    </>
  )
}

function Line({ ok, isWarning = false, children }: { ok: boolean; isWarning?: boolean; children: ReactNode }) {
  return (
    <li className={classes.line}>
      <ResultIcon kind={ok ? 'passed' : isWarning ? 'warning' : 'failed'} />
      <span>{children}</span>
    </li>
  )
}
