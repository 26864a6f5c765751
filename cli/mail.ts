import type { Command } from 'commander'
import { newId } from '../server/database/ids.ts'
import { createMailer } from '../server/notifications/mailer.ts'
import { countWaiting } from '../server/notifications/outbox.ts'
import { renderMail } from '../server/notifications/render.ts'
import { isMemberEmail } from '../server/organizations/members.ts'
import { CommandFault, leaf, type Run, type ServerState } from './command.ts'

export function mailCommands(program: Command, run: Run): void {
  const mail = program.command('mail').description('email to members, sent through SMTP_URL')

  leaf(mail, 'test', 'send a test email right away and show what the mail server says')
    .requiredOption('--to <email>', 'where to send it')
    .action(({ to }: { to: string }) =>
      run(async ({ config }, state) => {
        if (config.mail === null) throw new CommandFault(whatToSet(state))
        if (!isMemberEmail(to)) throw new CommandFault('--to must be an email address')
        const content = { kind: 'test', values: { organization: null } } as const
        const outgoing = { id: newId('msg'), to, ...renderMail(content, config.appUrl) }
        const result = await createMailer(config.mail).send(outgoing)
        const server = `${config.mail.host}:${config.mail.port}`
        if (result.outcome === 'failed') throw new CommandFault(`${server} did not take the email: ${result.detail}`)
        return { json: { sent: true, to, server }, text: `Sent a test email to ${to} through ${server}.` }
      }),
    )

  leaf(mail, 'status', 'show whether email is set up, and how many emails and chat messages wait to be sent').action(
    () =>
      run(async ({ config, database }) => {
        const configured = config.mail !== null
        const waiting = await countWaiting(database)
        const text = configured ? `Email is sent through ${config.mail?.host}.` : 'Email is not set up.'
        return { json: { configured, waiting }, text: `${text} ${waiting} waiting, chat messages included.` }
      }),
  )
}

/** A running server on the embedded database runs the commands, with its own settings. */
function whatToSet(state: ServerState): string {
  return state === 'running'
    ? 'Email is not set up. The server is running without SMTP_URL and MAIL_FROM: set them there, and start it again'
    : 'Email is not set up. Set SMTP_URL and MAIL_FROM'
}
