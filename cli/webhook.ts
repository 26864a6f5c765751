import type { Command } from 'commander'
import { type Endpoint, findEndpoint } from '../server/endpoints/endpoint.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { allowHint } from '../server/outbound/allow-hint.ts'
import type { Services } from '../server/services.ts'
import { type Change, changeSecret, removeWebhook, saveWebhook, switchWebhook } from '../server/workflows/administer.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { secretFileOption } from './secret-files.ts'
import { secretsKeysOf } from './secrets.ts'

type Options = { organization: string; url: string; secret?: string }

export function webhookCommands(program: Command, run: Run): void {
  const webhook = program
    .command('webhook')
    .description('the one HTTPS endpoint that receives an organization’s events')
  const command = (
    name: string,
    description: string,
    work: (services: Services, options: Options) => Promise<Outcome>,
  ) =>
    leaf(webhook, name, description)
      .requiredOption('--organization <id>', 'the organization, org_…')
      .action((options: Options) => run((services) => work(services, options)))

  command('set', 'set the URL after checking its destination', setWebhook)
    .requiredOption('--url <url>', 'where events are sent, https://…')
    .option('--secret <secret>', '16 to 256 printable characters; default: the existing one, or generated')
    .option(...secretFileOption('secret'))

  command('show', 'show the URL and whether it is enabled', async ({ database }, { organization }) =>
    shown(await findEndpoint(database, organization), organization),
  )

  command('disable', 'stop sending events until it is enabled again', async ({ database, clock }, { organization }) =>
    shown(await switchWebhook(database, by(organization), false, clock()), organization),
  )

  command('enable', 'send events again', async ({ database, clock }, { organization }) =>
    shown(await switchWebhook(database, by(organization), true, clock()), organization),
  )

  command('remove', 'delete the URL and the secret', async ({ database, clock }, { organization }) =>
    shown(await removeWebhook(database, by(organization), clock()), organization),
  )

  command(
    'rotate',
    'create a new signing secret, used from the next attempt on',
    async (services, { organization }) => {
      const { current: secretsKey } = await secretsKeysOf(services)
      const { database, clock } = services
      const rotated = await changeSecret({ database, secretsKey }, by(organization), undefined, clock())
      if (!rotated || rotated === 'invalid_secret') throw noWebhook(organization)
      return withSecret(rotated.endpoint, rotated.secret)
    },
  )
}

async function setWebhook(services: Services, { organization, url, secret }: Options): Promise<Outcome> {
  const { database, guard, clock } = services
  const { current: secretsKey } = await secretsKeysOf(services)
  await known(database, organization)
  const wanted = { url, ...(secret !== undefined && { secret }) }
  const saved = await saveWebhook({ database, guard, secretsKey }, by(organization), wanted, clock())
  if (saved.outcome === 'invalid_secret') throw new CommandFault('--secret must be 16 to 256 printable characters')
  if (saved.outcome === 'refused') {
    const { detail, addresses } = saved.vetting
    const hint = allowHint(addresses)
    throw new CommandFault(`The URL was rejected: ${detail}${hint === null ? '' : `. ${hint}`}`)
  }
  return withSecret(saved.endpoint, saved.secret)
}

function by(organizationId: string): Change {
  return { organizationId, actor: commandLine }
}

function withSecret({ url, enabled }: Endpoint, secret: string | null): Outcome {
  const shown = secret === null ? 'The signing secret stays the same.' : `Signing secret: ${secret}`
  return { json: { url, enabled, secret }, text: `${url}  ${enabled ? 'enabled' : 'disabled'}\n\n${shown}` }
}

function shown(endpoint: Endpoint | null, organization: string): Outcome {
  if (!endpoint) throw noWebhook(organization)
  const { url, enabled } = endpoint
  return { json: { url, enabled }, text: `${url}  ${enabled ? 'enabled' : 'disabled'}` }
}

function noWebhook(organization: string): CommandFault {
  return new CommandFault(
    `Organization ${organization} has no webhook. Create one with: webhook set --organization … --url …`,
  )
}
