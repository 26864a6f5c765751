import type { DeliveryAttempt } from '../../../server/http/settings/delivery-schemas.ts'
import { CodeBlock } from '../parts/CodeBlock.tsx'
import { inMilliseconds, toTheSecond } from '../parts/times.ts'
import classes from './Attempt.module.css'
import { TimingBar } from './TimingBar.tsx'
import { errorWords } from './words.ts'

/** `known` is what the page has already said about the delivery: no need to say it twice. */
export function Attempt({ attempt, known }: { attempt: DeliveryAttempt; known: string | null }) {
  const { number, roundBegunBy, startedAt, address, explanation, code, detail, answer, timing } = attempt
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
      {explanation && explanation !== known && <p className={classes.explanation}>{explanation}</p>}
      <TimingBar timing={timing} />
      <p className={classes.soft}>
        {address === null ? 'Nothing was sent' : `Sent to ${address}`}
        {detail && ` · ${detail}`}
        {code && ` (${code})`}
      </p>
      {roundBegunBy !== null && <p className={classes.soft}>Retried by {roundBegunBy}</p>}
      {answer && (
        <details className={classes.answer}>
          <summary>First bytes of the response</summary>
          <CodeBlock label={`Response to attempt ${number}`} text={answer} />
        </details>
      )}
    </li>
  )
}

function outcomeOf({ status, error, finishedAt }: DeliveryAttempt): string {
  if (status !== null) return `Answered ${status}`
  if (error !== null) return errorWords[error]
  return finishedAt === null ? 'Interrupted' : 'Done'
}
