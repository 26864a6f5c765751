import { Loader } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { IconPlayerPlay } from '../icons/icons.tsx'
import { Card } from '../parts/Card.tsx'
import { ChangeButton } from '../parts/ChangeButton.tsx'
import { ErrorAlert } from '../parts/ErrorAlert.tsx'
import { inMilliseconds } from '../parts/times.ts'
import { useOrganization } from '../session/session.ts'
import classes from './CheckReceiver.module.css'
import { ResultIcon } from './ResultIcon.tsx'
import { type CheckLine, useChecks } from './use-checks.ts'

/** Sends sample events one by one and shows how the receiver responds. */
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
      description="Sends sample events (result IDs starting with sample_) the same way as real ones and shows how your receiver responds. Nothing is recorded as a delivery."
      aside={
        <ChangeButton
          leftSection={<IconPlayerPlay size={18} aria-hidden />}
          onClick={() => checks.data && void run(checks.data.data)}
          loading={isRunning}
          disabled={checks.data === undefined}
        >
          {lines ? 'Check again' : 'Check now'}
        </ChangeButton>
      }
    >
      <ErrorAlert error={error ?? checks.error} />
      <ol className={classes.lines}>
        {shown.map((line) => (
          <Line key={line.check.name} line={line} />
        ))}
      </ol>
      <p className={classes.summary} role="status">
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
        {state === 'running' && <Loader size={18} aria-label="Running" />}
        {state === 'done' && <ResultIcon kind={line.finding.ok ? 'passed' : 'failed'} />}
      </span>
      <div className={classes.text}>
        <strong>{check.title}</strong>
        {state === 'done' ? (
          <>
            <span className={classes.dimmed}>{line.finding.detail}</span>
            {line.finding.advice && <span className={classes.advice}>{line.finding.advice}</span>}
          </>
        ) : (
          <span className={classes.dimmed}>Expected: {check.expects}</span>
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
  const failed = lines.filter((line) => line.state === 'done' && !line.finding.ok).length
  if (failed === 0) return 'All checks passed.'
  return failed === 1 ? '1 check failed.' : `${failed} checks failed.`
}
