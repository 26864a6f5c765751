import type { AttemptError } from '../deliveries/outcome.ts'
import { controlCharacters } from '../organizations/names.ts'
import type { EndpointAlertValues, MessageContent } from './message.ts'

export type RenderedMail = { subject: string; text: string; html: string }

/** Plain text and HTML are made of the same parts, so that they can't differ. */
type Parts = { subject: string; paragraphs: string[]; action: { label: string; url: string } | null; footer: string }

export function renderMail(content: MessageContent, appUrl: string): RenderedMail {
  const { subject, paragraphs, action, footer } = partsOf(content, appUrl)
  const text = [...paragraphs, ...(action ? [`${action.label}:\n${action.url}`] : []), `-- \n${footer}`]
  return {
    subject: oneLine(subject),
    text: `${text.join('\n\n')}\n`,
    html: htmlOf(subject, paragraphs, action, footer),
  }
}

/** Slack's and most other chat programs' format treats these three characters as markup. */
export function renderChatMessage(content: MessageContent<'endpoint_alert' | 'test'>, appUrl: string): string {
  const { subject, paragraphs, action } = partsOf(content, appUrl)
  const lines = [subject, ...paragraphs].map((line) =>
    line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'),
  )
  return [...lines, ...(action ? [action.url] : [])].join('\n')
}

function partsOf({ kind, values }: MessageContent, appUrl: string): Parts {
  switch (kind) {
    case 'invitation': {
      const organization = oneLine(values.organization)
      return {
        subject: `Join ${organization} on Partner Interview`,
        paragraphs: [
          `${oneLine(values.invitedBy)} invited you to join ${organization} on Partner Interview.`,
          `The link works once, until ${moment(values.expiresAt)}.`,
        ],
        action: { label: 'Accept the invitation', url: values.link },
        footer: 'If you didn’t expect this invitation, you can ignore this email.',
      }
    }
    case 'password_reset':
      return {
        subject: 'Reset your password',
        paragraphs: [
          'Someone, hopefully you, asked to reset the password of your Partner Interview account.',
          `The link works once, until ${moment(values.expiresAt)}.`,
        ],
        action: { label: 'Choose a new password', url: values.link },
        footer: 'If it wasn’t you, you can ignore this email. Your password stays the same.',
      }
    case 'endpoint_alert':
      return alertParts(values, `${appUrl}/settings/${values.organizationId}`)
    case 'test': {
      const organization = values.organization === null ? null : oneLine(values.organization)
      return {
        subject: organization === null ? 'Test message' : `Test message for ${organization}`,
        paragraphs: [
          organization === null
            ? 'It works: this server can send email.'
            : `It works: alerts about the webhook of ${organization} will arrive here.`,
        ],
        action: null,
        footer:
          organization === null
            ? 'Whoever operates the server sent this test message from the command line.'
            : `An admin of ${organization} sent this test message from the settings page.`,
      }
    }
  }
}

function alertParts(values: EndpointAlertValues, settingsUrl: string): Parts {
  const organization = oneLine(values.organization)
  const [host, failedHost] = [oneLine(values.host), oneLine(values.failedHost)]
  const footer = `You get this email because you are an admin of ${organization}. To stop these emails: ${settingsUrl}/notifications`
  const since = moment(values.since)
  const lastError = `Failed attempts: ${values.failures}. Last error: ${errorTexts[values.lastError] ?? 'unknown'}.`
  switch (values.state) {
    case 'failing':
      return {
        subject: `Webhook failing: ${organization}`,
        paragraphs: [
          `${host} has not accepted events for ${organization} since ${since}.`,
          lastError,
          'Each event is retried for a few minutes. After that, you can retry it on the Deliveries page.',
        ],
        action: { label: 'See what failed', url: `${settingsUrl}/deliveries` },
        footer,
      }
    case 'still_failing':
      return {
        subject: `Webhook still failing: ${organization}`,
        paragraphs: [
          `${host} has not accepted any events for ${organization} for more than an hour, since ${since}.`,
          lastError,
          'You’ll hear from us again when it works.',
        ],
        action: { label: 'See what failed', url: `${settingsUrl}/deliveries` },
        footer,
      }
    case 'recovered':
      return {
        subject: `Webhook recovered: ${organization}`,
        paragraphs: [
          host === failedHost
            ? `${host} accepts events for ${organization} again. It had been failing since ${since}.`
            : `${host} accepts events for ${organization}. The previous endpoint, ${failedHost}, had been failing.`,
          'Deliveries that failed in the meantime are not sent again automatically. Retry them on the Deliveries page.',
        ],
        action: { label: 'See deliveries', url: `${settingsUrl}/deliveries` },
        footer,
      }
  }
}

// Image errors say nothing about an endpoint, so there is no alert about them.
const errorTexts: Partial<Record<AttemptError, string>> = {
  HTTP_3XX: 'it redirected, and redirects are not followed',
  HTTP_4XX: 'it rejected the event with a 4xx status',
  HTTP_5XX: 'it answered with a 5xx status',
  TIMEOUT: 'it did not answer within five seconds',
  NETWORK: 'the connection failed',
  TLS: 'the TLS handshake failed',
  DNS: 'its name could not be resolved',
  DESTINATION_REFUSED: 'its address is not allowed',
}

/** Not "in 2 hours": nobody knows when a message is sent, let alone read. */
function moment(time: string): string {
  return `${time.slice(0, 10)} ${time.slice(11, 16)} UTC`
}

const maxLineLength = 200
const everyControlCharacter = new RegExp(controlCharacters.source, 'gu')

/** Names come from people: a line break in one must not start a new header, nor hide the rest of a sentence. */
function oneLine(text: string): string {
  const line = text.toWellFormed().replace(everyControlCharacter, ' ').replace(/\s+/g, ' ').trim()
  const characters = [...line]
  return characters.length <= maxLineLength ? line : `${characters.slice(0, maxLineLength - 1).join('')}…`
}

function htmlOf(subject: string, paragraphs: string[], action: Parts['action'], footer: string): string {
  const button = action
    ? `<p><a href="${escaped(action.url)}" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1c5fb8;color:#ffffff;text-decoration:none">${escaped(action.label)}</a></p>
<p style="font-size:13px;color:#5c6370;word-break:break-all">${escaped(action.url)}</p>`
    : ''
  return `<!doctype html>
<html lang="en"><head><meta charset="utf-8"><title>${escaped(subject)}</title></head>
<body style="margin:0;padding:24px;font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif;font-size:15px;line-height:1.5;color:#1f2328">
<div style="max-width:560px;margin:0 auto">
${paragraphs.map((paragraph) => `<p>${escaped(paragraph)}</p>`).join('\n')}
${button}
<p style="margin-top:32px;padding-top:12px;border-top:1px solid #d8dee4;font-size:13px;color:#5c6370">${escaped(footer)}</p>
</div></body></html>
`
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}
