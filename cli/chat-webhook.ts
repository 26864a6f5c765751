import type { Command } from 'commander'
import { type ChatWebhook, findChatWebhook } from '../server/notifications/chat-webhook.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { explainVetting } from '../server/outbound/allow-hint.ts'
import { setChatWebhook, unsetChatWebhook } from '../server/workflows/administer-notifications.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { secretFileOption } from './secret-files.ts'
import { secretsKeysOf } from './secrets.ts'

type Options = { organization: string; url: string }

export function chatWebhookCommands(program: Command, run: Run): void {
  const chat = program.command('chat-webhook').description('where an organization’s chat takes alerts')
  const command = (name: string, description: string) =>
    leaf(chat, name, description).requiredOption('--organization <id>', 'the organization, org_…')

  command('set', 'set the URL after checking its destination')
    .requiredOption('--url <url>', 'an incoming webhook of Slack or a compatible chat, https://…')
    .option(...secretFileOption('url'))
    .action(({ organization: organizationId, url }: Options) =>
      run(async (services) => {
        const { database, guard, clock } = services
        const { current: secretsKey } = await secretsKeysOf(services)
        await known(database, organizationId)
        const change = { organizationId, actor: commandLine }
        const saved = await setChatWebhook({ database, guard, secretsKey }, change, url, clock())
        if (saved.outcome === 'saved') return shown(saved.webhook)
        throw new CommandFault(`The URL was rejected: ${explainVetting(saved.vetting)}`)
      }),
    )

  command('show', 'show its host; the rest of the URL is secret').action(({ organization }: Options) =>
    run(async ({ database }) => {
      await known(database, organization)
      return shown(await findChatWebhook(database, organization))
    }),
  )

  command('remove', 'delete the URL').action(({ organization: organizationId }: Options) =>
    run(async ({ database, clock }) => {
      await known(database, organizationId)
      return shown(await unsetChatWebhook(database, { organizationId, actor: commandLine }, clock()))
    }),
  )
}

function shown(webhook: ChatWebhook | null): Outcome {
  if (!webhook) throw new CommandFault('The organization has no chat webhook')
  const { host, updatedAt } = webhook
  return { json: { host, updatedAt }, text: `https://${host}/…  updated ${updatedAt}` }
}
