import type { DeliveryAttempt } from '../../../server/http/settings/delivery-schemas.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { inMilliseconds, toTheSecond } from '../parts/times.ts'
import classes from './Attempt.module.css'
import { attemptLabel } from './labels.ts'
import { TimingBar } from './TimingBar.tsx'

type AttemptProps = {
  attempt: DeliveryAttempt
  /** What the page already says about the delivery, so it is not repeated here. */
  shownReason: string | null
}

export function Attempt({ attempt, shownReason }: AttemptProps) {
  const { number, startedAt, url, address, explanation, code, detail, headers, answer, timing } = attempt
  return (
    <li className={classes.attempt} data-failed={attempt.error !== null}>
      <div className={classes.head}>
        <strong>
          {number}. {attemptLabel(attempt)}
        </strong>
        <span className={classes.dimmed}>
          {timing.total !== null && `${inMilliseconds(timing.total)} · `}
          <time dateTime={startedAt}>{toTheSecond(startedAt)}</time>
        </span>
      </div>
      {explanation && explanation !== shownReason && <p className={classes.explanation}>{explanation}</p>}
      <TimingBar attempt={attempt} />
      <p className={classes.dimmed}>
        {address === null ? 'Nothing was sent' : `Sent to ${url === null ? address : `${url} at ${address}`}`}
        {detail && ` · ${detail}`}
        {code && ` (${code})`}
      </p>
      {headers.length > 0 && (
        <details className={classes.answer}>
          <summary>Response headers</summary>
          <CodeBlock
            label={`Response headers, attempt ${number}`}
            text={headers.map(([name, value]) => `${name}: ${value}`).join('\n')}
            wrap
          />
        </details>
      )}
      {answer && (
        <details className={classes.answer}>
          <summary>Response body (first 1 KB)</summary>
          <CodeBlock label={`Response body, attempt ${number}`} text={answer} wrap />
        </details>
      )}
    </li>
  )
}

export function AttemptInFlight({ number }: { number: number }) {
  return (
    <li className={classes.attempt} data-in-flight>
      <strong>{number}. Sending…</strong>
    </li>
  )
}
