import type { Command } from 'commander'
import type { Queryable } from '../server/database/database.ts'
import { type Endpoint, findEndpoint } from '../server/endpoints/endpoint.ts'
import { preflight } from '../server/endpoints/preflight.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { explainVetting } from '../server/outbound/allow-hint.ts'
import type { Services } from '../server/services.ts'
import { type Change, removeWebhook, saveWebhook, switchWebhook } from '../server/workflows/administer.ts'
import { changePace, isMaxPerSecond } from '../server/workflows/change-pace.ts'
import {
  activatePendingSecret,
  changeSecret,
  discardPendingSecret,
  preparePendingSecret,
} from '../server/workflows/change-secret.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { secretFileOption } from './secret-files.ts'
import { secretsKeysOf } from './secrets.ts'

type Options = {
  organization: string
  url: string
  secret?: string
  maxPerSecond?: string
  prepare?: boolean
  json?: boolean
}

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
    .option('--max-per-second <events>', 'send at most 1 to 1000 events a second, or none for no limit')

  command('show', 'show the URL, whether it is enabled, and its limit', async ({ database }, { organization }) =>
    withPending(await existing(database, organization), organization),
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

  command('rotate', 'create a new signing secret that takes effect with the next attempt', rotate).option(
    '--prepare',
    'only prepare it: events are signed with the current one until you run webhook activate',
  )

  command(
    'activate',
    'sign events with the prepared secret from now on',
    async ({ database, clock }, { organization }) => {
      await existing(database, organization)
      return withPending(await activatePendingSecret(database, by(organization), clock()), organization)
    },
  )

  command('discard', 'delete the prepared secret', async ({ database, clock }, { organization }) => {
    await existing(database, organization)
    return withPending(await discardPendingSecret(database, by(organization), clock()), organization)
  })
}

async function rotate(services: Services, { organization, prepare = false }: Options): Promise<Outcome> {
  const { current: secretsKey } = await secretsKeysOf(services)
  const { database, clock } = services
  const replaced = prepare ? ((await findEndpoint(database, organization))?.pendingSecretSince ?? null) : null
  const change = prepare ? preparePendingSecret : changeSecret
  const rotated = await change({ database, secretsKey }, by(organization), undefined, clock())
  if (!rotated || rotated === 'invalid_secret') throw noWebhook(organization)
  const outcome = withSecret(rotated.endpoint, rotated.secret, prepare ? 'Next signing secret' : 'Signing secret')
  if (replaced === null) return outcome
  return {
    ...outcome,
    text: `${outcome.text}\n\nIt replaces the one prepared at ${replaced}, which will never be used.`,
  }
}

async function setWebhook(services: Services, options: Options): Promise<Outcome> {
  const { organization, url, secret, json = false } = options
  const maxPerSecond = parseMaxPerSecond(options.maxPerSecond)
  const { database, guard, clock } = services
  const { current: secretsKey } = await secretsKeysOf(services)
  await known(database, organization)
  // Before saving, because it may take seconds: whoever gives up waiting has not lost a secret that is shown once.
  const warning = json ? null : await connectionWarning(services, url)
  const wanted = { url, ...(secret !== undefined && { secret }) }
  const saved = await saveWebhook({ database, guard, secretsKey }, by(organization), wanted, clock())
  if (saved.outcome === 'invalid_secret') throw new CommandFault('--secret must be 16 to 256 printable characters')
  if (saved.outcome === 'refused') throw new CommandFault(`The URL was rejected: ${explainVetting(saved.vetting)}`)
  if (maxPerSecond !== undefined) await changePace(database, by(organization), maxPerSecond, clock())
  const endpoint = maxPerSecond === undefined ? saved.endpoint : { ...saved.endpoint, maxPerSecond }
  const outcome = withSecret(endpoint, saved.secret)
  return warning === null ? outcome : { ...outcome, text: `${outcome.text}\n\n${warning}` }
}

/** Null if a delivery could connect, or if saving refuses the URL anyway. */
async function connectionWarning({ guard, clock, config }: Services, url: string): Promise<string | null> {
  const { tls } = await preflight({ guard, clock, destinationCa: config.destinationCa }, url)
  if (tls === null || tls.ok) return null
  const code = tls.code === null ? '' : ` (${tls.code})`
  return `Warning: the endpoint can't be reached: ${tls.detail}${code}. Deliveries to it fail until that is fixed.`
}

/** Undefined keeps what is stored. */
function parseMaxPerSecond(text: string | undefined): number | null | undefined {
  if (text === undefined) return undefined
  if (text === 'none') return null
  const value = text === '' ? Number.NaN : Number(text)
  if (!isMaxPerSecond(value)) throw new CommandFault('--max-per-second must be a whole number from 1 to 1000, or none')
  return value
}

function by(organizationId: string): Change {
  return { organizationId, actor: commandLine }
}

function withSecret(endpoint: Endpoint, secret: string | null, label = 'Signing secret'): Outcome {
  const { url, enabled } = endpoint
  const shown = secret === null ? 'The signing secret stays the same.' : `${label}: ${secret}`
  return { json: { url, enabled, secret }, text: `${described(endpoint)}\n\n${shown}` }
}

function shown(endpoint: Endpoint | null, organization: string): Outcome {
  if (!endpoint) throw noWebhook(organization)
  const { url, enabled } = endpoint
  return { json: { url, enabled }, text: described(endpoint) }
}

function described({ url, enabled, maxPerSecond }: Endpoint): string {
  const limit = maxPerSecond === null ? '' : `  at most ${maxPerSecond} a second`
  return `${url}  ${enabled ? 'enabled' : 'disabled'}${limit}`
}

async function existing(database: Queryable, organization: string): Promise<Endpoint> {
  const endpoint = await findEndpoint(database, organization)
  if (!endpoint) throw noWebhook(organization)
  return endpoint
}

function withPending(endpoint: Endpoint | null, organization: string): Outcome {
  if (!endpoint) {
    throw new CommandFault(
      `Organization ${organization} has no prepared secret. Prepare one with: webhook rotate --prepare --organization …`,
    )
  }
  const { url, enabled, maxPerSecond, pendingSecretSince: since } = endpoint
  const pending =
    since === null
      ? ''
      : `\n\nA new signing secret was prepared at ${since}. Events are still signed with the current one.`
  return {
    json: { url, enabled, pendingSecret: since !== null, maxPerSecond },
    text: `${described(endpoint)}${pending}`,
  }
}

function noWebhook(organization: string): CommandFault {
  return new CommandFault(
    `Organization ${organization} has no webhook. Create one with: webhook set --organization … --url …`,
  )
}
