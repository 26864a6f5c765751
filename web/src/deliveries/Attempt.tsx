import type { DeliveryAttempt } from '../../../server/http/settings/delivery-schemas.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { inMilliseconds, toTheSecond } from '../parts/times.ts'
import classes from './Attempt.module.css'
import { TimingBar } from './TimingBar.tsx'
import { errorWords } from './words.ts'

/** `told` is what the page has already said of the delivery: it need not say it twice. */
export function Attempt({ attempt, told }: { attempt: DeliveryAttempt; told: string | null }) {
  const { number, startedAt, address, status, explanation, detail, answer, timing } = attempt
  return (
    <li className={classes.attempt} data-failed={attempt.error !== null}>
      <div className={classes.head}>
        <strong>
          {number}. {outcomeOf(attempt)}
        </strong>
        <span className={classes.soft}>
          {timing.total !== null && `${inMilliseconds(timing.total)} · `}
          <time dateTime={startedAt}>{toTheSecond(startedAt)}</time>
        </span>
      </div>
      {explanation && explanation !== told && <p className={classes.explanation}>{explanation}</p>}
      <TimingBar timing={timing} />
      <p className={classes.soft}>
        {address === null ? 'No address was dialled' : `Sent to ${address}`}
        {detail && status === null && ` · ${detail}`}
      </p>
      {answer && (
        <details className={classes.answer}>
          <summary>First bytes of the answer</summary>
          <CodeBlock label={`Answer to attempt ${number}`} text={answer} />
        </details>
      )}
    </li>
  )
}

function outcomeOf({ status, error, finishedAt }: DeliveryAttempt): string {
  if (status !== null) return `Answered ${status}`
  if (error !== null) return errorWords[error]
  return finishedAt === null ? 'Under way, or cut short' : 'Done'
}
