import { setTimeout as pause } from 'node:timers/promises'
import { isSample } from '../event.ts'
import { signedEvent } from '../sample-event.ts'
import { readEvents, type ServerEvent } from './event-stream.ts'
import { apiHint, callServer, type ListenServer, type ServerFailure } from './listen-server.ts'
import { postTo } from './post.ts'
import { printable } from './printable.ts'

export type ListenOptions = {
  server: ListenServer
  /** Null: print the events instead. */
  forwardTo: URL | null
  print: (line: string) => void
  /** Aborted when the user wants to stop. */
  signal: AbortSignal
}

/** What the server says when the stream begins. */
type Ready = { organization: string; secret: string; expiresAt: string; userAgent: string; hasLost: boolean }

// The server sends a heartbeat every 15 seconds.
const longestSilence = 45_000
const bufferingHint = `within ${longestSilence / 1000} seconds. Does a proxy buffer /listen/?`
const longestPause = 10_000

/** Shows or forwards events until the user stops it. Returns why it had to stop, or null if the user wanted it to. */
export async function listen(options: ListenOptions): Promise<string | null> {
  const { signal, print } = options
  const session: Session = { ...options, ready: null, position: null, isConnected: false }
  for (let failures = 0; !signal.aborted; failures += 1) {
    session.isConnected = false
    const failure = await followOnce(session)
    if (signal.aborted) break
    if (failure.retry === 'never' || (failure.retry === 'once connected' && session.ready === null)) {
      return failure.reason
    }
    if (session.isConnected) failures = 0
    if (failures === 0) print(`${failure.reason.replace(/[^.?]$/, '$&.')} Reconnecting…`)
    await pause(Math.min(250 * 2 ** failures, longestPause), undefined, { signal }).catch(() => {})
  }
  return null
}

type Session = ListenOptions & {
  ready: Ready | null
  /** After the last event that was handled. */
  position: string | null
  isConnected: boolean
}

/** One connection, from its beginning to its end, which is always a failure of some kind. */
async function followOnce(session: Session): Promise<ServerFailure> {
  const { server, signal, position } = session
  const silence = new AbortController()
  const giveUp = () => silence.abort(new Error(`no answer ${bufferingHint}`))
  let timer = setTimeout(giveUp, longestSilence)
  const headers = { accept: 'text/event-stream', ...(position !== null && { 'last-event-id': position }) }
  const connected = await callServer(server, '/listen/events', {
    headers,
    signal: AbortSignal.any([signal, silence.signal]),
  })
  try {
    if (!connected.ok) return connected
    if (!connected.response.headers.get('content-type')?.startsWith('text/event-stream')) {
      return { ok: false, retry: 'once connected', reason: `${server.url} answered without events. ${apiHint}` }
    }
    for await (const event of readEvents(heard(connected.response))) {
      const failure = await handle(session, event)
      if (failure) return failure
    }
    if (session.ready === null && silence.signal.aborted) {
      return { ok: false, retry: 'never', reason: `${server.url} sent no events ${bufferingHint}` }
    }
  } catch (error) {
    // Not the connection: the same error would come again after reconnecting.
    return {
      ok: false,
      retry: 'never',
      reason: `Cannot handle an event: ${error instanceof Error ? error.message : error}`,
    }
  } finally {
    clearTimeout(timer)
    // Closes a connection that is left before its end.
    silence.abort()
  }
  return { ok: false, retry: 'always', reason: 'The connection was lost.' }

  async function* heard(response: Response): AsyncGenerator<Uint8Array> {
    try {
      for await (const chunk of response.body ?? []) {
        clearTimeout(timer)
        timer = setTimeout(giveUp, longestSilence)
        yield chunk
      }
    } catch {
      // The connection broke, or there was no heartbeat.
    }
  }
}

async function handle(session: Session, { name, id, data }: ServerEvent): Promise<ServerFailure | null> {
  const text = () => Buffer.from(data).toString()
  switch (name) {
    case 'ready':
      begin(session, JSON.parse(text()))
      break
    case 'result.completed':
      await handleEvent(session, data)
      break
    case 'waiting':
    case 'skipped':
      session.print(describeMissing(name, JSON.parse(text())))
      break
    case 'ended':
      return { ok: false, retry: 'never', reason: `${JSON.parse(text()).error}.` }
  }
  if (id !== null) session.position = id
  return null
}

function begin(session: Session, ready: Ready): void {
  const { server, forwardTo, print } = session
  session.isConnected = true
  if (session.ready === null) {
    const until = new Date(ready.expiresAt).toLocaleString()
    print(`Listening to ${printable(ready.organization)} on ${server.url}. The token expires on ${until}.`)
    print(`Signing secret: ${ready.secret}`)
    print(
      forwardTo ? `Forwarding to ${forwardTo.href}` : 'Printing events. Pass --forward-to to send them to a receiver.',
    )
    print('')
  } else {
    print(ready.hasLost ? 'Reconnected. Events from in between could not be recovered.' : 'Reconnected.')
  }
  session.ready = ready
}

async function handleEvent({ ready, forwardTo, print }: Session, body: Uint8Array): Promise<void> {
  const event = JSON.parse(Buffer.from(body).toString())
  const { resultId } = event
  const label = `${clockTime()}  result.completed  ${printable(resultId)}${isSample(event) ? ' (sample)' : ''}`
  if (forwardTo === null || ready === null) {
    print(label)
    print(printable(JSON.stringify(shortened(event), null, 2)))
    return
  }
  const { headers } = await signedEvent(resultId, body, ready.secret, new Date())
  const answer = await postTo(forwardTo)({ headers: { 'user-agent': ready.userAgent, ...headers }, body })
  const took = `${Math.round(answer.milliseconds)} ms`
  if (answer.status !== null) return print(`${label}  ${answer.status}  ${took}${advice(answer.status)}`)
  const isItRunning = answer.error?.startsWith('NETWORK') ? ' Is your receiver running?' : ''
  print(`${label}  no response  ${took}\n          ${answer.error}.${isItRunning}`)
}

function advice(status: number): string {
  return status === 401 ? '\n          Does your receiver use the signing secret above?' : ''
}

/** With the first characters of the picture instead of a screenful. */
function shortened(event: { thumbnail?: { dataBase64?: string } }): unknown {
  const base64 = event.thumbnail?.dataBase64 ?? ''
  const start = `${base64.slice(0, 16)}… (${base64.length} characters)`
  return { ...event, thumbnail: { ...event.thumbnail, dataBase64: start } }
}

function describeMissing(kind: 'waiting' | 'skipped', missing: { resultId: string; detail: string }): string {
  const outcome = kind === 'waiting' ? 'waiting for its picture' : 'skipped'
  return `${clockTime()}  result.completed  ${printable(missing.resultId)}  ${outcome}: ${printable(missing.detail)}`
}

function clockTime(): string {
  return new Date().toTimeString().slice(0, 8)
}
