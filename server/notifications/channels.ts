import { createMailer, type MailServer } from './mailer.ts'
import { renderMail } from './render.ts'
import { type SenderDependencies, startSender } from './sender.ts'

type ChannelDependencies = Omit<SenderDependencies, 'channel' | 'send'> & { appUrl: string }

export function startMailSender({ server, appUrl, ...dependencies }: ChannelDependencies & { server: MailServer }) {
  const mailer = createMailer(server)
  return startSender({
    ...dependencies,
    channel: 'email',
    async send({ id, recipient, ...content }) {
      if (recipient === null) return { outcome: 'discarded' }
      return mailer.send({ id, to: recipient, ...renderMail(content, appUrl) })
    },
  })
}
