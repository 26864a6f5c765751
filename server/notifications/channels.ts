import { isAlertRecipient } from '../organizations/alert-preferences.ts'
import type { DestinationGuard } from '../outbound/destination.ts'
import { deadlineMilliseconds, type Poster } from '../outbound/post.ts'
import { readChatUrl } from './chat-webhook.ts'
import { createMailer, type MailServer } from './mailer.ts'
import { renderChatMessage, renderMail } from './render.ts'
import { type SenderDependencies, type SendResult, startSender } from './sender.ts'

type ChannelDependencies = Omit<SenderDependencies, 'channel' | 'send'> & { appUrl: string }

export function startMailSender({ server, appUrl, ...dependencies }: ChannelDependencies & { server: MailServer }) {
  const mailer = createMailer(server)
  return startSender({
    ...dependencies,
    channel: 'email',
    async send({ id, recipient, organizationId, ...content }) {
      if (recipient === null) return { outcome: 'discarded' }
      if (content.kind === 'endpoint_alert' && organizationId !== null) {
        const isWanted = await isAlertRecipient(dependencies.database, organizationId, recipient)
        if (!isWanted) return { outcome: 'discarded' }
      }
      const mail = rendered(() => renderMail(content, appUrl))
      return mail.outcome === 'failed' ? mail : mailer.send({ id, to: recipient, ...mail.text })
    },
  })
}

/** With the same guard, connections and deadline as a delivery. */
export function startChatSender({
  guard,
  poster,
  appUrl,
  ...dependencies
}: ChannelDependencies & { guard: DestinationGuard; poster: Poster }) {
  const { database, unseal } = dependencies
  return startSender({
    ...dependencies,
    channel: 'chat',
    async send({ organizationId, ...content }) {
      if (content.kind !== 'endpoint_alert' && content.kind !== 'test') return { outcome: 'discarded' }
      const url = organizationId === null ? null : await readChatUrl(database, unseal, organizationId)
      if (url === null) return { outcome: 'discarded' }
      const message = rendered(() => renderChatMessage(content, appUrl))
      if (message.outcome === 'failed') return message
      const signal = AbortSignal.timeout(deadlineMilliseconds)
      const vetting = await guard.vet(url, signal)
      const failed = { outcome: 'failed', isFinal: false } as const
      if (!vetting.ok) return { ...failed, problem: vetting.error, status: null, detail: vetting.detail }
      const headers = { 'content-type': 'application/json' }
      const body = Buffer.from(JSON.stringify({ text: message.text }))
      const { error, status, detail } = await poster.post(vetting.destination, { headers, body, signal })
      return error === null ? { outcome: 'sent' } : { ...failed, problem: error, status, detail: detail ?? '' }
    },
  })
}

type Rendered<Text> = { outcome: 'rendered'; text: Text } | Extract<SendResult, { outcome: 'failed' }>

/** What another version queued may lack values that the text needs now. Trying again would not help. */
function rendered<Text>(render: () => Text): Rendered<Text> {
  try {
    return { outcome: 'rendered', text: render() }
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error)
    return { outcome: 'failed', problem: 'NOT_RENDERED', status: null, isFinal: true, detail }
  }
}
