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
  const { number, startedAt, address, explanation, code, detail, answer, timing } = attempt
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
        {address === null ? 'Nothing was sent' : `Sent to ${address}`}
        {detail && ` · ${detail}`}
        {code && ` (${code})`}
      </p>
      {answer && (
        <details className={classes.answer}>
          <summary>Response body (first 1 KB)</summary>
          <CodeBlock label={`Response body, attempt ${number}`} text={answer} wrap />
        </details>
      )}
    </li>
  )
}
