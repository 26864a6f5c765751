import type { Command } from 'commander'
import { type ListenToken, listListenTokens, maxListenTokens } from '../server/listeners/listen-tokens.ts'
import { commandLine } from '../server/organizations/activity.ts'
import { createListenToken, endListenToken } from '../server/workflows/administer-listening.ts'
import { CommandFault, leaf, type PageOptions, paged, type Run, readPages } from './command.ts'
import { known } from './organization.ts'
import { listing } from './table.ts'

export function listenTokenCommands(program: Command, run: Run): void {
  const listenToken = program
    .command('listen-token')
    .description('tokens that let developers listen to events on their own machine')

  leaf(listenToken, 'create', 'create a token that is valid for 24 hours; it is shown once')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action(({ organization: organizationId }: { organization: string }) =>
      run(async ({ database, clock, config }) => {
        if (!config.listen) throw new CommandFault('Listening is turned off on this server. Set LISTEN=true')
        await known(database, organizationId)
        const created = await createListenToken(database, { organizationId, actor: commandLine }, clock())
        if (created === 'too_many_listen_tokens') {
          throw new CommandFault(
            `The organization has ${maxListenTokens} listen tokens in use, which is the limit. Revoke one first`,
          )
        }
        const { id, token, secret, expiresAt } = created
        const text = [
          `Token:          ${token}`,
          `Signing secret: ${secret}`,
          '',
          `Copy them now. You won't see them again. ${id} expires at ${expiresAt}.`,
          '',
          `  npx partner-interview listen --server ${config.apiUrl} --token ${token} --print`,
        ]
        return { json: created, text: text.join('\n') }
      }),
    )

  paged(leaf(listenToken, 'list', 'show the listen tokens of an organization, newest first'))
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action((options: PageOptions & { organization: string }) =>
      run(async ({ database, clock }) => {
        await known(database, options.organization)
        const { data, nextCursor } = await readPages(options, (page) =>
          listListenTokens(database, options.organization, page),
        )
        const rows = data.map((one) => [
          one.id,
          statusOf(one, clock()),
          one.expiresAt,
          one.lastUsedAt ?? 'never used',
          one.createdBy,
        ])
        const headings = ['ID', 'STATUS', 'EXPIRES', 'LAST USED', 'CREATED BY']
        const text = listing(headings, rows, { none: 'No listen tokens yet.', nextCursor })
        return { json: { data, nextCursor }, text }
      }),
    )

  leaf(listenToken, 'revoke', 'disconnect whoever listens with a token, and reject it from now on')
    .requiredOption('--id <id>', 'the token, ltk_…')
    .action(({ id }: { id: string }) =>
      run(async ({ database, clock }) => {
        const revoked = await endListenToken(database, { id, organizationId: null, actor: commandLine }, clock())
        if (!revoked) throw new CommandFault(`There is no listen token ${id}`)
        return { json: revoked, text: `${id} is revoked` }
      }),
    )
}

function statusOf({ revokedAt, expiresAt }: ListenToken, now: Date): string {
  if (revokedAt !== null) return 'revoked'
  return Date.parse(expiresAt) <= now.getTime() ? 'expired' : 'active'
}
