import { createConfig, lintFromString } from '@redocly/openapi-core'

type Problem = { severity: string; message: string }

/** What Redocly reports about a document with its strictest settings. */
export async function lint(document: object): Promise<Problem[]> {
  const config = await createConfig({ extends: ['recommended-strict'] })
  const problems = await lintFromString({ source: JSON.stringify(document), absoluteRef: 'openapi.json', config })
  return problems.map(({ severity, message }) => ({ severity, message }))
}
