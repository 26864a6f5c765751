import { describeConnectionFailure } from '../connection-failure.ts'
import { isCredential } from '../headers.ts'

export const tokenVariable = 'PARTNER_INTERVIEW_TOKEN'
export const defaultServer = 'http://127.0.0.1:3000'

/** A server and the token to show to it. */
export type ListenServer = { url: string; token: string }

/** `once connected`: a mistake if it happens at the start, but worth another try if it has worked before. */
export type ServerFailure = { ok: false; retry: 'never' | 'once connected' | 'always'; reason: string }

export type ServerArguments = { server: string | undefined; token: string | undefined }

/** The server and token from the options or the environment, or what is wrong with them. */
export function findServer({ server = defaultServer, token }: ServerArguments): ListenServer | { fault: string } {
  if (!/^https?:\/\//.test(server) || !URL.canParse(server)) {
    return { fault: `--server must start with http:// or https://, not ${server}` }
  }
  const found = (token ?? process.env[tokenVariable] ?? '').trim()
  if (found === '') {
    return { fault: `The listen token is missing. Pass --token or set ${tokenVariable}. ${howToGetOne}` }
  }
  if (!isCredential(found)) {
    return { fault: 'This is not a listen token: it has a space or another character that no token has.' }
  }
  const { origin, pathname } = new URL(server)
  return { url: origin + pathname.replace(/\/+$/, '').replace(/\/v1$/, ''), token: found }
}

export const apiHint = 'Is this the address of the Partner Interview API?'
const howToGetOne = 'An admin creates one in the settings, under Listen.'

/** Sends a request to one of the routes under /listen. */
export async function callServer(
  { url, token }: ListenServer,
  path: '/listen/events' | '/listen/samples',
  { headers = {}, ...options }: { method?: 'POST'; headers?: Record<string, string>; signal: AbortSignal },
): Promise<{ ok: true; response: Response } | ServerFailure> {
  try {
    const response = await fetch(url + path, {
      ...options,
      headers: { authorization: `Bearer ${token}`, ...headers },
      redirect: 'manual',
    })
    return response.ok ? { ok: true, response } : await explainRefusal(response, url)
  } catch (error) {
    const reason = `Cannot reach ${url}: ${describeConnectionFailure(error).reason}`
    return { ok: false, retry: 'once connected', reason }
  }
}

async function explainRefusal(response: Response, url: string): Promise<ServerFailure> {
  const { status } = response
  const error = errorIn(await response.text().catch(() => ''))
  // The server may still count a connection that was cut.
  const retry = status >= 500 ? 'always' : status === 429 ? 'once connected' : 'never'
  const failure = { ok: false, retry } as const
  if (error === null || (status === 404 && error === 'Not found')) {
    return { ...failure, reason: `${url} answered ${status}. ${retry === 'always' ? '' : apiHint}`.trim() }
  }
  const advice = status === 401 ? ` ${howToGetOne}` : ''
  return { ...failure, reason: `${url} answered ${status}: ${error}.${advice}` }
}

function errorIn(body: string): string | null {
  try {
    const { error } = JSON.parse(body)
    return typeof error === 'string' ? error : null
  } catch {
    return null
  }
}
