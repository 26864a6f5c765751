import { Button, Loader } from '@mantine/core'
import { IconPlayerPlay } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { Card } from '../parts/Card.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { inMilliseconds } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './CheckReceiver.module.css'
import { type CheckLine, useChecks } from './use-checks.ts'
import { Verdict } from './Verdict.tsx'

/** Sends sample events one after the other and says what the receiver made of each. */
export function CheckReceiver() {
  const { id } = useOrganization()
  const checks = useQuery({
    queryKey: ['checks', id],
    queryFn: () => api.checks(id),
    staleTime: Number.POSITIVE_INFINITY,
  })
  const { lines, isRunning, error, run } = useChecks(id)
  const shown: CheckLine[] = lines ?? checks.data?.data.map((check) => ({ check, state: 'idle' })) ?? []

  return (
    <Card
      title="Check my receiver"
      description="Sends labelled samples (result ids that begin with sample_) the way real events are sent, and shows what your receiver does with them. Nothing is recorded as a delivery."
      aside={
        <Button
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          onClick={() => checks.data && void run(checks.data.data)}
          loading={isRunning}
          disabled={checks.data === undefined}
        >
          {lines ? 'Check again' : 'Check now'}
        </Button>
      }
    >
      <ErrorAlert error={error ?? checks.error} />
      <ol className={classes.lines}>
        {shown.map((line) => (
          <Line key={line.check.name} line={line} />
        ))}
      </ol>
      <p className={classes.verdict} role="status">
        {lines && !isRunning && !error && summary(lines)}
      </p>
    </Card>
  )
}

function Line({ line }: { line: CheckLine }) {
  const { check, state } = line
  return (
    <li className={classes.line} aria-busy={state === 'running'}>
      <span className={classes.mark}>
        {state === 'idle' && <span className={classes.dot} aria-hidden />}
        {state === 'running' && <Loader size={18} aria-label="Under way" />}
        {state === 'done' && <Verdict kind={line.finding.ok ? 'good' : 'bad'} />}
      </span>
      <div className={classes.text}>
        <strong>{check.title}</strong>
        {state === 'done' ? (
          <>
            <span className={classes.soft}>{line.finding.detail}</span>
            {line.finding.advice && <span className={classes.advice}>{line.finding.advice}</span>}
          </>
        ) : (
          <span className={classes.soft}>Expected: {check.expects}</span>
        )}
      </div>
      {state === 'done' && (
        <span className={classes.facts}>
          {line.finding.status !== null && <span>{line.finding.status}</span>}
          <span>{inMilliseconds(line.finding.milliseconds)}</span>
        </span>
      )}
    </li>
  )
}

function summary(lines: CheckLine[]): string {
  const wrong = lines.filter((line) => line.state === 'done' && !line.finding.ok).length
  if (wrong === 0) return 'All good: your receiver does what it should.'
  return wrong === 1 ? 'One thing to change.' : `${wrong} things to change.`
}
