import type { RenderedMail } from './render.ts'
import type { SendResult } from './sender.ts'

export type MailServer = {
  host: string
  port: number
  /** `tls`: from the start. `starttls`: required. `either`: STARTTLS if the server offers it. */
  encryption: 'tls' | 'starttls' | 'either'
  login: { user: string; password: string } | null
  from: { name: string; address: string }
}

export type OutgoingMail = RenderedMail & { id: string; to: string }

/** `detail` is for the operator only: it may contain what the mail server says about itself. */
export type Mailer = { send(mail: OutgoingMail): Promise<SendResult> }

const stepMilliseconds = 10_000
const deadlineMilliseconds = 30_000

export function createMailer({ host, port, encryption, login, from }: MailServer): Mailer {
  const open = async () => {
    // Loaded with the first mail, so that it costs nothing where there is none.
    const { createTransport } = await import('nodemailer')
    return createTransport({
      ...{ host, port, secure: encryption === 'tls', requireTLS: encryption === 'starttls' },
      ...(login && { auth: { user: login.user, pass: login.password } }),
      ...{ dnsTimeout: stepMilliseconds, connectionTimeout: stepMilliseconds },
      ...{ greetingTimeout: stepMilliseconds, socketTimeout: stepMilliseconds },
      ...{ disableFileAccess: true, disableUrlAccess: true },
    })
  }
  let transport: ReturnType<typeof open> | null = null

  return {
    async send({ id, to, subject, text, html }) {
      transport ??= open()
      const sent = (await transport).sendMail({
        // As objects: nothing in a name or an address is parsed as another address.
        from,
        to: { name: '', address: to },
        ...{ subject, text, html },
        // The same on every try, so that a mail program can recognize a repeat.
        messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
      })
      const outcome = sent.then((): SendResult => ({ outcome: 'sent' }), describeFailure)
      return withinDeadline(outcome)
    },
  }
}

async function withinDeadline(outcome: Promise<SendResult>): Promise<SendResult> {
  const { promise: expired, resolve } = Promise.withResolvers<SendResult>()
  const detail = `the mail server took longer than ${deadlineMilliseconds / 1_000} seconds`
  const timer = setTimeout(
    () => resolve({ outcome: 'failed', problem: 'TIMEOUT', status: null, detail }),
    deadlineMilliseconds,
  )
  try {
    return await Promise.race([outcome, expired])
  } finally {
    clearTimeout(timer)
  }
}

type MailProblem = 'UNREACHABLE' | 'TIMEOUT' | 'TLS' | 'LOGIN_REJECTED' | 'REJECTED'

function describeFailure(error: unknown): SendResult {
  const { code, responseCode, message } = factsOf(error)
  return { outcome: 'failed', problem: problemOf(code, responseCode), status: responseCode, detail: message }
}

function problemOf(code: string, status: number | null): MailProblem {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'LOGIN_REJECTED'
  if (code === 'ETLS' || code === 'EREQUIRETLS' || /CERT|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'TLS'
  if (code === 'ETIMEDOUT' || code.endsWith('_TIMEOUT')) return 'TIMEOUT'
  return status === null ? 'UNREACHABLE' : 'REJECTED'
}

function factsOf(error: unknown): { code: string; responseCode: number | null; message: string } {
  if (!(error instanceof Error)) return { code: '', responseCode: null, message: String(error) }
  // For a failed handshake, the library's own code only says that the socket failed.
  const codes = ['originalCode' in error && error.originalCode, 'code' in error && error.code]
  return {
    code: codes.find((code) => typeof code === 'string') ?? '',
    responseCode: 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null,
    message: error.message.slice(0, 500),
  }
}
