import type { Client } from './client.ts'
import type { ResultSummary } from './types.ts'

/**
 * The results completed since then that you do not have, oldest first. An empty list proves that nothing was missed. A
 * result can be reported some time after its interview was completed, so let `since` overlap with the previous run.
 */
export async function reconcile(options: {
  client: Pick<Client, 'results'>
  since: Date | string
  has(resultId: string): boolean | Promise<boolean>
}): Promise<ResultSummary[]> {
  const { client, since, has } = options
  const completedAfter = new Date(since).toISOString()
  const missing: ResultSummary[] = []
  for await (const result of client.results.list({ completedAfter, limit: 100 })) {
    if (!(await has(result.resultId))) missing.push(result)
  }
  return missing
}
