import type { AddressInfo } from 'node:net'
import { text as textOf } from 'node:stream/consumers'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import { createUnseal } from '../server/endpoints/secrets.ts'
import { startChatSender, startMailSender } from '../server/notifications/channels.ts'
import type { Deliveries } from './deliveries.ts'
import { appUrl, type Service } from './service.ts'

export type ReceivedMail = {
  from: string
  to: string[]
  /** The message as it arrived, headers first. */
  raw: string
  /** The value of a header, unfolded and decoded. Null if it is missing. */
  header(name: string): string | null
  /** Its parts, decoded. */
  text: string
  html: string
}

export type MailServer = {
  port: number
  received: ReceivedMail[]
  /** Rejects recipients with this SMTP status until it is set to null. */
  rejectWith: number | null
  rejectionText: string
  /** Responds about recipients only after this. */
  holdRecipients: Promise<void> | null
  /** Called when a mail has arrived. It is accepted after this. */
  beforeAccepting: (() => Promise<void>) | null
  close(): Promise<void>
}

/** A real SMTP server on loopback. `port` 0 takes any free one. */
export async function startMailServer(
  options: { port?: number; tls?: { key: string; cert: string }; login?: { user: string; password: string } } = {},
): Promise<MailServer> {
  const { port = 0, tls, login } = options
  const received: ReceivedMail[] = []
  const mailServer: Pick<MailServer, 'rejectWith' | 'rejectionText' | 'holdRecipients' | 'beforeAccepting'> = {
    rejectWith: null,
    rejectionText: 'Not now',
    holdRecipients: null,
    beforeAccepting: null,
  }
  const settings: SMTPServerOptions = {
    ...(tls ? { ...tls, secure: true } : { disabledCommands: ['STARTTLS'] }),
    authOptional: login === undefined,
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      const isKnown = username === login?.user && password === login?.password
      done(isKnown ? null : new Error('Invalid user name or password'), { user: username })
    },
    onRcptTo(_address, _session, done) {
      const { rejectWith, rejectionText, holdRecipients } = mailServer
      void Promise.resolve(holdRecipients).then(() =>
        done(rejectWith === null ? null : Object.assign(new Error(rejectionText), { responseCode: rejectWith })),
      )
    },
    onData(stream, { envelope }, done) {
      void textOf(stream).then(async (raw) => {
        await mailServer.beforeAccepting?.()
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address
        received.push({ from, to: envelope.rcptTo.map(({ address }) => address), ...parseMail(raw) })
        done()
      })
    },
  }
  const server = new SMTPServer(settings)
  // A client that disconnects in the middle is none of our business.
  server.on('error', () => {})
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve))
  const address = server.server.address() as AddressInfo
  return Object.assign(mailServer, {
    port: address.port,
    received,
    close: () => new Promise<void>((resolve) => server.close(() => resolve())),
  })
}

/** Sends the service's emails to this server, as a process with the worker role does. */
export function startMailing(service: Service, { port }: Pick<MailServer, 'port'>) {
  return startMailSender({
    ...senderOf(service),
    server: {
      host: '127.0.0.1',
      port,
      encryption: 'either',
      login: null,
      from: { name: 'Interviews', address: 'interviews@example.com' },
    },
  })
}

/** Posts the service's chat messages, as a process with the worker role does. */
export function startChatting({ service, out: { guard, poster } }: Deliveries) {
  return startChatSender({ ...senderOf(service), guard, poster })
}

function senderOf({ database, secretsKey }: Service) {
  return {
    database,
    unseal: createUnseal({ current: secretsKey, previous: null }),
    appUrl,
    logger: { info() {}, warn() {} },
    report(problem: string, error: unknown) {
      throw new Error(problem, { cause: error })
    },
    pollMilliseconds: 20,
  }
}

/** Enough of MIME for what this service sends: encoded words, and one level of parts. */
function parseMail(raw: string): Pick<ReceivedMail, 'raw' | 'header' | 'text' | 'html'> {
  const { header, body } = splitMail(raw)
  const boundary = /boundary="([^"]+)"/.exec(header('content-type') ?? '')?.[1]
  const parts = boundary === undefined ? [] : body.split(`--${boundary}`).slice(1, -1).map(splitMail)
  const part = (type: string) => {
    const found = parts.find(({ header }) => header('content-type')?.startsWith(type))
    return found ? decoded(found.body, found.header('content-transfer-encoding')) : ''
  }
  return { raw, header, text: part('text/plain'), html: part('text/html') }
}

function splitMail(raw: string) {
  const trimmed = raw.replace(/^\r\n/, '')
  const end = trimmed.indexOf('\r\n\r\n')
  const lines = trimmed
    .slice(0, end)
    .replace(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const header = (name: string) => {
    const line = lines.find((one) => one.toLowerCase().startsWith(`${name.toLowerCase()}:`))
    return line === undefined ? null : decodedWords(line.slice(name.length + 1).trim())
  }
  return { header, body: trimmed.slice(end + 4) }
}

function decodedWords(text: string): string {
  return text
    .replace(/\?=\s+=\?/g, '?==?')
    .replace(/=\?utf-8\?([bq])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toLowerCase() === 'b'
        ? Buffer.from(word, 'base64').toString()
        : quotedPrintable(word.replaceAll('_', ' ')),
    )
}

function decoded(body: string, encoding: string | null): string {
  if (encoding === 'base64') return Buffer.from(body, 'base64').toString()
  return encoding === 'quoted-printable' ? quotedPrintable(body.replace(/=\r\n/g, '')) : body
}

function quotedPrintable(text: string): string {
  const bytes = text.replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)))
  return Buffer.from(bytes, 'latin1').toString()
}
