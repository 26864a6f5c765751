import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Finding, ReceiverChecks } from '../../../server/http/settings/delivery-schemas.ts'
import { ApiError, api } from '../api.ts'

type Check = ReceiverChecks['data'][number]

export type CheckLine =
  | { check: Check; state: 'idle' }
  | { check: Check; state: 'running' }
  | { check: Check; state: 'done'; finding: Finding }

/** Runs the checks one by one, so each result shows up as it comes in. */
export function useChecks(organizationId: string) {
  const [lines, setLines] = useState<CheckLine[] | null>(null)
  const [isRunning, setRunning] = useState(false)
  const [error, setError] = useState<Error | null>(null)
  const { mutateAsync: runOne } = useMutation({ mutationFn: (name: string) => api.runCheck(organizationId, name) })

  const run = async (checks: Check[]) => {
    const set = (line: CheckLine) =>
      setLines((all) => all?.map((one) => (one.check.name === line.check.name ? line : one)) ?? null)
    setError(null)
    setRunning(true)
    setLines(checks.map((check) => ({ check, state: 'idle' })))
    try {
      for (const check of checks) {
        set({ check, state: 'running' })
        set({ check, state: 'done', finding: await runOne(check.name) })
      }
    } catch (problem) {
      if (!(problem instanceof ApiError)) throw problem
      setError(problem)
      setLines(
        (all) => all?.map((one) => (one.state === 'running' ? { check: one.check, state: 'idle' } : one)) ?? null,
      )
    } finally {
      setRunning(false)
    }
  }
  return { lines, isRunning, error, run }
}
