import type { Command } from 'commander'
import {
  hashPassword,
  maxPasswordLength,
  minPasswordLength,
  newPassword,
  passwordFault,
} from '../server/auth/passwords.ts'
import { commandLine } from '../server/organizations/activity.ts'
import {
  addMember,
  findUser,
  isMemberEmail,
  listMembers,
  type Role,
  removeMember,
  roles,
  setPassword,
} from '../server/organizations/members.ts'
import { isName } from '../server/organizations/names.ts'
import type { Services } from '../server/services.ts'
import { CommandFault, leaf, type Outcome, type Run } from './command.ts'
import { known } from './organization.ts'
import { secretFileOption } from './secret-files.ts'
import { table } from './table.ts'

type Added = { organization: string; email: string; password?: string; role: string; name?: string }

export function memberCommands(program: Command, run: Run): void {
  const member = program.command('member').description('the people who may use the settings area')

  leaf(member, 'add', 'let somebody in, or give a member another role')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--email <address>', 'what they sign in with')
    .requiredOption('--role <role>', 'admin (everything) or viewer (reads deliveries)')
    .option('--password <password>', `${minPasswordLength} to ${maxPasswordLength} characters; made when not given`)
    .option(...secretFileOption('password'))
    .option('--name <name>', 'what people call them')
    .action((options: Added) => run((services) => add(services, options)))

  leaf(member, 'list', 'show the members of an organization')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .action(({ organization }: { organization: string }) =>
      run(async ({ database }) => {
        await known(database, organization)
        const data = await listMembers(database, organization)
        const rows = data.map(({ email, role, name, createdAt }) => [email, role, createdAt, name])
        return { json: { data, nextCursor: null }, text: table(['EMAIL', 'ROLE', 'SINCE', 'NAME'], rows) }
      }),
    )

  leaf(member, 'remove', 'let somebody in no more')
    .requiredOption('--organization <id>', 'the organization, org_…')
    .requiredOption('--email <address>', 'what they sign in with')
    .action(({ organization, email }: { organization: string; email: string }) =>
      run(async ({ database, clock }) => {
        await known(database, organization)
        const leaving = { organizationId: organization, email: email.trim(), actor: commandLine }
        const removed = await database.transaction((transaction) => removeMember(transaction, leaving, clock()))
        if (!removed) throw new CommandFault(`${email} is no member of ${organization}`)
        const json = { ...removed, organizationId: organization }
        return { json, text: `${removed.email} is no member of ${organization} any more` }
      }),
    )

  leaf(member, 'set-password', 'give somebody another password; it ends their sessions')
    .requiredOption('--email <address>', 'what they sign in with')
    .option('--password <password>', `${minPasswordLength} to ${maxPasswordLength} characters; made when not given`)
    .option(...secretFileOption('password'))
    .action((options: { email: string; password?: string }) => run((services) => changePassword(services, options)))
}

async function add({ database, clock }: Services, options: Added): Promise<Outcome> {
  const email = options.email.trim().toLowerCase()
  if (!isMemberEmail(email)) throw new CommandFault('--email must be an e-mail address such as ada@example.com')
  const name = options.name?.trim() || email
  if (name.length > 100) throw new CommandFault('--name must have at most 100 characters')
  if (!isName(name)) throw new CommandFault('--name must be text without control characters')
  const role = readRole(options.role)
  const given = checked(options.password, options.email)
  await known(database, options.organization)
  const existing = await findUser(database, email)
  if (existing && given !== undefined) {
    throw new CommandFault(`${email} has a password already: leave --password out, or use member set-password`)
  }
  const password = existing ? null : (given ?? newPassword())
  const passwordHash = password === null ? null : await hashPassword(password)
  const wanted = { organizationId: options.organization, email, name, role, passwordHash, actor: commandLine }
  const added = await database.transaction((transaction) => addMember(transaction, wanted, clock()))
  if (added === 'password_needed') throw new CommandFault(`${email} was just removed. Try again.`)
  const shown = given === undefined && password !== null ? { password } : {}
  const text = `${email} is ${role === 'admin' ? 'an admin' : 'a viewer'} of ${options.organization}`
  return { json: { email, role, organizationId: options.organization, ...shown }, text: withPassword(text, shown) }
}

async function changePassword(
  { database, clock }: Services,
  options: { email: string; password?: string },
): Promise<Outcome> {
  const given = checked(options.password, options.email)
  const user = await findUser(database, options.email.trim())
  if (!user) throw new CommandFault(`Nobody signs in as ${options.email}`)
  const password = given ?? newPassword()
  const passwordHash = await hashPassword(password)
  const change = { userId: user.id, email: user.email, passwordHash, actor: commandLine }
  await database.transaction((transaction) => setPassword(transaction, change, clock()))
  const shown = given === undefined ? { password } : {}
  return { json: { email: user.email, ...shown }, text: withPassword(`${user.email} has another password`, shown) }
}

function readRole(text: string): Role {
  const role = roles.find((known) => known === text)
  if (!role) throw new CommandFault(`--role must be one of ${roles.join(', ')}`)
  return role
}

function checked(password: string | undefined, email: string): string | undefined {
  const fault = password === undefined ? null : passwordFault(password, { email })
  if (fault === 'too short' || fault === 'too long') {
    throw new CommandFault(`--password must have ${minPasswordLength} to ${maxPasswordLength} characters`)
  }
  if (fault) throw new CommandFault(`--password is ${fault}: choose one that is hard to guess, or leave it out`)
  return password
}

function withPassword(text: string, { password }: { password?: string }): string {
  return password === undefined ? text : `${text}\n\nPassword: ${password}\n\nKept nowhere: copy it now.`
}
