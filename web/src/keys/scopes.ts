import type { Key } from '../../../server/http/settings/schemas.ts'

export type Scope = Key['scopes'][number]

/** What each scope lets a key do, in one sentence. */
export const scopeWords: Record<Scope, string> = {
  'templates:read': 'List templates and look at one.',
  'templates:write': 'Make templates and change them.',
  'invitations:write': 'Invite candidates to an interview.',
  'results:read': 'Read finished results: the link and the overall score.',
}

export const allScopes: Scope[] = ['templates:read', 'templates:write', 'invitations:write', 'results:read']

/** A first request that a key of these scopes may make, and that changes nothing where there is such a one. */
export function firstRequest(appUrl: string, key: string, scopes: Scope[]): string {
  const header = `\\\n  -H 'X-Service-Api-Key: ${key}'`
  if (scopes.includes('templates:read')) return `curl ${appUrl}/v1/templates ${header}`
  if (scopes.includes('results:read')) return `curl ${appUrl}/v1/interview-results ${header}`
  const [path, body] = scopes.includes('templates:write')
    ? ['templates', '{"title": "Backend engineer", "description": "Services and queues."}']
    : [
        'interview-invitations',
        '{"templateId": "tpl_…", "candidate": {"email": "ada@example.com", "firstName": "Ada", "lastName": "Lovelace"}}',
      ]
  return `curl ${appUrl}/v1/${path} ${header} \\\n  -H 'Content-Type: application/json' \\\n  -d '${body}'`
}
