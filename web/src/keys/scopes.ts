import type { Key } from '../../../server/http/settings/schemas.ts'

export type Scope = Key['scopes'][number]

export const scopeDescriptions: Record<Scope, string> = {
  'templates:read': 'List and read templates.',
  'templates:write': 'Create and edit templates.',
  'invitations:write': 'Invite candidates to interviews.',
  'results:read': 'Read completed results: the link and the overall score.',
}

export const allScopes: Scope[] = ['templates:read', 'templates:write', 'invitations:write', 'results:read']

/** An example request these scopes allow, preferably one that changes nothing. */
export function firstRequest(apiUrl: string, key: string, scopes: Scope[]): string {
  const header = `\\\n  -H 'X-Service-Api-Key: ${key}'`
  if (scopes.includes('templates:read')) return `curl ${apiUrl}/v1/templates ${header}`
  if (scopes.includes('results:read')) return `curl ${apiUrl}/v1/interview-results ${header}`
  const [path, body] = scopes.includes('templates:write')
    ? ['templates', '{"title": "Backend engineer", "description": "Services and queues."}']
    : [
        'interview-invitations',
        '{"templateId": "tpl_…", "candidate": {"email": "ada@example.com", "firstName": "Ada", "lastName": "Lovelace"}}',
      ]
  return `curl ${apiUrl}/v1/${path} ${header} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
}
