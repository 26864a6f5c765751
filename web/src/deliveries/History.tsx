import { Title } from '@mantine/core'
import type { DeliveryDetail } from '../../../server/http/settings/delivery-schemas.ts'
import { counted } from '../parts/counts.ts'
import { toTheSecond } from '../parts/times.ts'
import { Attempt, AttemptInFlight } from './Attempt.tsx'
import classes from './DeliveryView.module.css'

type Entry =
  | { kind: 'attempt'; round: number; attempt: DeliveryDetail['history'][number] }
  | { kind: 'retry'; round: number; retry: DeliveryDetail['rounds'][number] }

/** Every attempt, newest first, numbered across rounds, and who began each round. */
export function History({ delivery }: { delivery: DeliveryDetail }) {
  const { history, rounds, totalAttempts, failure } = delivery
  const isSending = isBeingSent(delivery)
  return (
    <section aria-label="Attempts">
      <Title order={3} className={classes.heading}>
        {isSending || history.length > 0
          ? counted(isSending ? totalAttempts : history.length, 'attempt')
          : totalAttempts > 0
            ? `${counted(totalAttempts, 'attempt')} (details deleted)`
            : 'No attempts yet'}
      </Title>
      <ol className={classes.attempts} reversed>
        {isSending && <AttemptInFlight number={totalAttempts} />}
        {entriesOf(history, rounds).map((entry) =>
          entry.kind === 'attempt' ? (
            <Attempt
              key={entry.attempt.number}
              attempt={entry.attempt}
              shownReason={entry.attempt === history.at(-1) ? (failure?.summary ?? null) : null}
            />
          ) : (
            <li key={`retry ${entry.round}`} className={classes.retried}>
              Retried by {entry.retry.begunBy} · {toTheSecond(entry.retry.begunAt)}
            </li>
          ),
        )}
      </ol>
    </section>
  )
}

/** An attempt is counted when it begins, and in the history once it has ended. */
function isBeingSent({ status, erased, nextAttemptAt, totalAttempts, history }: DeliveryDetail): boolean {
  return status === 'PENDING' && !erased && nextAttemptAt === null && totalAttempts > history.length
}

function entriesOf(history: DeliveryDetail['history'], rounds: DeliveryDetail['rounds']): Entry[] {
  const attempts = history.map((attempt): Entry => ({ kind: 'attempt', round: attempt.round, attempt }))
  const retries = rounds.map((retry): Entry => ({ kind: 'retry', round: retry.round, retry }))
  // Oldest first: a retry comes before the attempts of its round.
  return [...retries, ...attempts].sort((a, b) => a.round - b.round || numberOf(a) - numberOf(b)).reverse()
}

function numberOf(entry: Entry): number {
  return entry.kind === 'attempt' ? entry.attempt.number : 0
}
