import { Readable } from 'node:stream'
import { maxSendSeconds } from './message.ts'
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
// Five minutes: a server may scan a mail before it accepts it, and giving up too early sends it twice (RFC 5321, 4.5.3.2).
const replyMilliseconds = maxSendSeconds * 1_000 - deadlineMilliseconds

export function createMailer(server: MailServer, { deadline = deadlineMilliseconds } = {}): Mailer {
  const { from } = server
  return {
    async send({ id, to, subject, text, html }) {
      // Loaded with the first mail, so that it costs nothing where there is none.
      const { default: MailComposer } = await import('nodemailer/lib/mail-composer')
      const message = new MailComposer({
        // As objects: nothing in a name or an address is parsed as another address.
        from,
        to: { name: '', address: to },
        subject,
        text,
        html,
        // The same on every try, so that a mail program can recognize a repeat.
        messageId: `<${id}@${from.address.slice(from.address.lastIndexOf('@') + 1)}>`,
        headers: { 'Auto-Submitted': 'auto-generated', 'X-Auto-Response-Suppress': 'All' },
        disableFileAccess: true,
        disableUrlAccess: true,
      }).compile()
      const envelope = { from: from.address, to: [to] }
      return transmit(server, { envelope, content: await message.build() }, deadline)
    },
  }
}

/**
 * One connection per mail, which is closed at the deadline: a mail that is reported as failed must not arrive after all,
 * because it is sent again. The server has the deadline to take the mail, and then longer to accept it.
 */
async function transmit(
  { host, port, encryption, login }: MailServer,
  { envelope, content }: { envelope: { from: string; to: string[] }; content: Buffer },
  deadline: number,
): Promise<SendResult> {
  const { default: SMTPConnection } = await import('nodemailer/lib/smtp-connection')
  const connection = new SMTPConnection({
    host,
    port,
    secure: encryption === 'tls',
    requireTLS: encryption === 'starttls',
    dnsTimeout: stepMilliseconds,
    connectionTimeout: stepMilliseconds,
    greetingTimeout: stepMilliseconds,
    socketTimeout: replyMilliseconds,
  })
  const { promise, resolve } = Promise.withResolvers<SendResult>()
  const fail = (error: unknown) => resolve(describeFailure(error))
  const failAfter = (milliseconds: number) => {
    const detail = `the mail server took longer than ${milliseconds / 1_000} seconds`
    const late = { outcome: 'failed', problem: 'TIMEOUT', status: null, isFinal: false, detail } as const
    return setTimeout(() => resolve(late), milliseconds)
  }
  let timer = failAfter(deadline)
  // A stream, because its end says when the server has asked for the mail and got it.
  const body = Readable.from([content]).once('end', () => {
    clearTimeout(timer)
    timer = failAfter(replyMilliseconds)
  })
  const sendContent = () =>
    connection.send(envelope, body, (error) => (error ? fail(error) : resolve({ outcome: 'sent' })))
  connection.on('error', fail)
  connection.connect((error) => {
    if (error) return fail(error)
    if (login === null || !connection.allowsAuth) return sendContent()
    const credentials = { user: login.user, pass: login.password }
    connection.login({ credentials }, (refusal) => (refusal ? fail(refusal) : sendContent()))
  })
  try {
    return await promise
  } finally {
    body.destroy()
    clearTimeout(timer)
    connection.close()
  }
}

type MailProblem = 'UNREACHABLE' | 'TIMEOUT' | 'TLS' | 'LOGIN_REJECTED' | 'REJECTED'

function describeFailure(error: unknown): SendResult {
  const { code, command, responseCode, message } = factsOf(error)
  if (speaksNoTls.test(message)) {
    const detail = 'the mail server does not speak TLS on this port. Use smtp:// instead of smtps://'
    return { outcome: 'failed', problem: 'TLS', status: null, isFinal: false, detail }
  }
  const problem = problemOf(code, responseCode)
  const isFinal = responseCode !== null && responseCode >= 500 && isAboutMail(command, responseCode, message)
  return { outcome: 'failed', problem, status: responseCode, isFinal, detail: message }
}

// OpenSSL's words for a greeting in plain text.
const speaksNoTls = /:wrong version number:|:packet length too long:/

/**
 * Rather than about the configuration, which the operator may fix in time. Many servers reject the sender and the login
 * only when they hear of a recipient, with 5.7.x; 5.1.x and 5.2.x are about the recipient.
 */
function isAboutMail(command: string, status: number, message: string): boolean {
  if (command !== 'RCPT TO') return command === 'DATA'
  const [, subject] = /\b5\.(\d{1,3})\.\d{1,3}\b/.exec(message) ?? []
  return subject === undefined ? [550, 551, 553].includes(status) : subject === '1' || subject === '2'
}

function problemOf(code: string, status: number | null): MailProblem {
  if (code === 'EAUTH' || code === 'ENOAUTH') return 'LOGIN_REJECTED'
  if (code === 'ETLS' || code === 'EREQUIRETLS' || /CERT|SSL|SELF_SIGNED|UNABLE_TO/.test(code)) return 'TLS'
  if (code === 'ETIMEDOUT' || code.endsWith('_TIMEOUT')) return 'TIMEOUT'
  return status === null ? 'UNREACHABLE' : 'REJECTED'
}

function factsOf(error: unknown): { code: string; command: string; responseCode: number | null; message: string } {
  if (!(error instanceof Error)) return { code: '', command: '', responseCode: null, message: String(error) }
  // For a failed handshake, the library's own code only says that the socket failed.
  const codes = ['originalCode' in error && error.originalCode, 'code' in error && error.code]
  return {
    code: codes.find((code) => typeof code === 'string') ?? '',
    command: 'command' in error && typeof error.command === 'string' ? error.command : '',
    responseCode: 'responseCode' in error && typeof error.responseCode === 'number' ? error.responseCode : null,
    message: error.message.slice(0, 500),
  }
}
