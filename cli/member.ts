import type { Command } from 'commander'
import {
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
  newPassword,
  passwordFault,
} from '../server/auth/passwords.ts'
import type { Database } from '../server/database/database.ts'
import { commandLine } from '../server/organizations/activity.ts'
import {
  addMember,
  findUser,
  isMemberEmail,
  listMembersByPage,
  organizationsOf,
  type Role,
  roles,
  setPassword,
} from '../server/organizations/members.ts'
import { isName } from '../server/organizations/names.ts'
import type { Services } from '../server/services.ts'
import {
  createResetLink,
  dismiss,
  type MemberChange,
  resetUrl,
  setRole,
  turnOffSecondFactor,
} from '../server/workflows/manage-members.ts'
import { CommandFault, leaf, type Outcome, type PageOptions, paged, type Run, readPages } from './command.ts'
import { known } from './organization.ts'
import { secretFileOption } from './secret-files.ts'
import { listing } from './table.ts'

type Added = { organization: string; email: string; password?: string; role: string; name?: string }

export function memberCommands(program: Command, run: Run): void {
  const member = program.command('member').description('people who can sign in to the settings page')

  leaf(member, 'add', 'add a member, or change a member’s role')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--email <address>', 'the address they sign in with')
    .requiredOption('--role <role>', 'admin (full access) or viewer (can only view)')
    .option('--password <password>', `${minPasswordLength} to ${maxPasswordLength} characters; default: generated`)
    .option(...secretFileOption('password'))
    .option('--name <name>', 'their name; default: the email address')
    .action((options: Added) => run((services) => add(services, options)))

  paged(leaf(member, 'list', 'list an organization’s members'))
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action((options: PageOptions & { organization: string }) =>
      run(async ({ database }) => {
        await known(database, options.organization)
        const { data, nextCursor } = await readPages(options, (page) =>
          listMembersByPage(database, options.organization, page),
        )
        const rows = data.map(({ email, role, name, createdAt, lastSignInAt }) => [
          ...[email, role, createdAt, lastSignInAt ?? 'never', name],
        ])
        const headings = ['EMAIL', 'ROLE', 'SINCE', 'LAST SIGN-IN', 'NAME']
        return { json: { data, nextCursor }, text: listing(headings, rows, { none: 'No members yet.', nextCursor }) }
      }),
    )

  ofMember(leaf(member, 'remove', 'remove a member')).action((named: Named) =>
    run(async (services) => {
      const { change, email } = await memberNamed(services, named)
      const removed = await dismiss(services.database, change, services.clock())
      if (typeof removed === 'string') throw faultFor(removed, named)
      const json = { ...removed, organizationId: change.organizationId }
      return { json, text: `Removed ${email} from ${change.organizationId}.` }
    }),
  )

  ofMember(leaf(member, 'role', 'change a member’s role'))
    .requiredOption('--role <role>', 'admin or viewer')
    .action((named: Named & { role: string }) =>
      run(async (services) => {
        const role = readRole(named.role)
        const { change, email } = await memberNamed(services, named)
        const changed = await setRole(services.database, change, role, services.clock())
        if (changed !== 'changed') throw faultFor(changed, named)
        const { organizationId } = change
        return { json: { email, role, organizationId }, text: isNow(email, role, organizationId) }
      }),
    )

  ofMember(leaf(member, 'reset-link', 'create a password reset link for a member')).action((named: Named) =>
    run(async (services) => {
      const { change, email } = await memberNamed(services, named)
      const wanted = { ...change, by: 'operator' } as const
      const created = await createResetLink(services.database, wanted, services.clock())
      if (typeof created === 'string') throw faultFor(created, named)
      const { expiresAt } = created
      const url = resetUrl(services.config.appUrl, created.token)
      const text = `${url}\n\nSend it to ${email}. It works once, until ${expiresAt}.`
      return { json: { email, url, expiresAt }, text }
    }),
  )

  ofMember(leaf(member, 'reset-second-factor', 'turn off two-step verification that a member lost access to')).action(
    (named: Named) =>
      run(async (services) => {
        const { change, email } = await memberNamed(services, named)
        const wanted = { ...change, by: 'operator' } as const
        const outcome = await turnOffSecondFactor(services.database, wanted, services.clock())
        if (outcome !== 'done') throw faultFor(outcome, named)
        const text = `Two-step verification is off for ${email}, who has been signed out everywhere.`
        return { json: { email, secondFactor: false }, text }
      }),
  )

  leaf(member, 'set-password', 'change a password and sign its owner out everywhere')
    .requiredOption('--email <address>', 'the address they sign in with')
    .option('--password <password>', `${minPasswordLength} to ${maxPasswordLength} characters; default: generated`)
    .option(...secretFileOption('password'))
    .action((options: { email: string; password?: string }) => run((services) => changePassword(services, options)))
}

type Named = { organization: string; email: string }

function ofMember(command: Command): Command {
  return command
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--email <address>', 'the address they sign in with')
}

async function memberNamed({ database }: Services, named: Named): Promise<{ change: MemberChange; email: string }> {
  await known(database, named.organization)
  const user = await findUser(database, named.email.trim())
  if (!user) throw faultFor('member_not_found', named)
  return { change: { organizationId: named.organization, id: user.id, actor: commandLine }, email: user.email }
}

function faultFor(outcome: 'last_admin' | 'member_not_found' | 'member_elsewhere', { email, organization }: Named) {
  if (outcome === 'last_admin') return lastAdmin(email, organization)
  return new CommandFault(`${email} is not a member of ${organization}`)
}

function lastAdmin(email: string, organization: string): CommandFault {
  return new CommandFault(`${email} is the only admin of ${organization}. Add another admin first`)
}

function isNow(email: string, role: Role, organization: string): string {
  return `${email} is now ${role === 'admin' ? 'an admin' : 'a viewer'} of ${organization}.`
}

async function add({ database, clock }: Services, options: Added): Promise<Outcome> {
  const email = options.email.trim().toLowerCase()
  if (!isMemberEmail(email)) throw new CommandFault('--email must be an email address such as ada@example.com')
  const name = options.name?.trim() || email
  if (name.length > 100) throw new CommandFault('--name must be at most 100 characters')
  if (!isName(name)) throw new CommandFault('--name must be text without control characters')
  const role = readRole(options.role)
  const given = checked(options.password, { email, name })
  await known(database, options.organization)
  const existing = await findUser(database, email)
  if (existing && given !== undefined) {
    throw new CommandFault(`${email} already has an account. Leave out --password, or use member set-password`)
  }
  const password = existing ? null : (given ?? newPassword())
  const passwordHash = password === null ? null : await hashPassword(password)
  const wanted = { organizationId: options.organization, email, name, role, passwordHash, actor: commandLine }
  const added = await database.transaction((transaction) => addMember(transaction, wanted, clock()))
  if (added === 'last_admin') throw lastAdmin(email, options.organization)
  if (added === 'password_needed') throw new CommandFault(`The account of ${email} was just deleted. Try again`)
  if (added === 'account_exists') throw new CommandFault(`Someone just created an account for ${email}. Try again`)
  const shown = given === undefined && password !== null ? { password } : {}
  const others = existing ? await otherOrganizations(database, existing.id, options.organization) : []
  const text = withPassword(isNow(email, role, options.organization), shown) + accountNote(email, others)
  const elsewhere = others.length > 0 ? { otherOrganizations: others } : {}
  return { json: { email, role, organizationId: options.organization, ...elsewhere, ...shown }, text }
}

async function otherOrganizations(database: Database, userId: string, organizationId: string): Promise<string[]> {
  const memberships = await organizationsOf(database, userId)
  return memberships.filter(({ id }) => id !== organizationId).map(({ name }) => name)
}

/** Another organization's admin may have made the account, and without email nothing proves whose it is. */
function accountNote(email: string, organizations: string[]): string {
  if (organizations.length === 0) return ''
  return `

The account existed: ${email} is also a member of ${organizations.join(', ')}. If you didn't send invitations by email, make
sure that it belongs to its owner, or replace its password: member set-password --email ${email}`
}

async function changePassword(
  { database, clock }: Services,
  options: { email: string; password?: string },
): Promise<Outcome> {
  const user = await findUser(database, options.email.trim())
  if (!user) throw new CommandFault(`Nobody signs in as ${options.email}`)
  const given = checked(options.password, user)
  const password = given ?? newPassword()
  const passwordHash = await hashPassword(password)
  const change = { userId: user.id, email: user.email, passwordHash, actor: commandLine }
  await database.transaction((transaction) => setPassword(transaction, change, clock()))
  const shown = given === undefined ? { password } : {}
  return { json: { email: user.email, ...shown }, text: withPassword(`Changed the password of ${user.email}.`, shown) }
}

function readRole(text: string): Role {
  const role = roles.find((known) => known === text)
  if (!role) throw new CommandFault(`--role must be one of ${roles.join(', ')}`)
  return role
}

function checked(password: string | undefined, owner: { email: string; name: string }): string | undefined {
  const fault = password === undefined ? null : passwordFault(password, owner)
  if (fault === 'too short' || fault === 'too long') {
    throw new CommandFault(`--password must be ${minPasswordLength} to ${maxPasswordLength} characters`)
  }
  if (fault)
    throw new CommandFault(`--password is ${fault}: choose one that is hard to guess, or leave it out to generate one`)
  return password
}

function withPassword(text: string, { password }: { password?: string }): string {
  return password === undefined ? text : `${text}\n\nPassword: ${password}\n\nCopy it now. You won't see it again.`
}
