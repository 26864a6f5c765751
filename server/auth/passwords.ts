import { randomBytes } from 'node:crypto'

export const minPasswordLength = 12
export const maxPasswordLength = 128

// Loaded on demand: most commands and processes never need it.
const library = () => import('better-auth/crypto')

/** Salted, and slow on purpose. */
export async function hashPassword(password: string): Promise<string> {
  const { hashPassword } = await library()
  return inTurn(() => hashPassword(password))
}

export async function matchesPassword(password: string, hash: string): Promise<boolean> {
  const { verifyPassword } = await library()
  return inTurn(() => verifyPassword({ password, hash }))
}

let latest: Promise<unknown> = Promise.resolve()

/**
 * One at a time in this process: each keeps a core busy for a tenth of a second, and one of the four threads that also read
 * files and log in to the database.
 */
function inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
  const result = latest.then(work)
  latest = result.catch(() => {})
  return result
}

export function newPassword(): string {
  return randomBytes(18).toString('base64url')
}

export type PasswordFault = 'too short' | 'too long' | 'too common' | 'about its owner'

/** Null if the password is strong enough. */
export function passwordFault(
  password: string,
  { email, name }: { email: string; name: string },
): PasswordFault | null {
  const { length } = [...password]
  if (length < minPasswordLength) return 'too short'
  if (length > maxPasswordLength) return 'too long'
  const core = coreOf(password)
  if (new Set(password.toLowerCase()).size < 5 || core === '' || common.has(core) || isRun(password))
    return 'too common'
  const [local = '', domain = ''] = email.toLowerCase().split('@')
  const [company = ''] = domain.split('.')
  const own = [email, local, domain, company, local + company, name].map(coreOf)
  return own.includes(core) ? 'about its owner' : null
}

/** The word without digits, punctuation and repetition. */
function coreOf(text: string): string {
  const word = text.toLowerCase().replace(/[^\p{L}]/gu, '')
  return word.replace(/^(.{3,}?)\1+$/u, '$1')
}

function isRun(password: string): boolean {
  const text = password.toLowerCase()
  return runs.some((run) => run.repeat(Math.ceil(text.length / run.length) + 1).includes(text))
}

const runs = ['abcdefghijklmnopqrstuvwxyz', '1234567890', 'qwertyuiopasdfghjklzxcvbnm', 'qwertzuiopasdfghjklyxcvbnm']

// The top words in lists of leaked passwords. Digits and punctuation around them don't make them safer.
const common: ReadonlySet<string> = new Set(
  `password passwort passwd secret geheim qwerty qwertz qwertyuiop asdfghjkl zxcvbnm letmein welcome willkommen iloveyou
  monkey dragon football baseball superman batman princess sunshine shadow master hello michael jordan charlie trustno
  whatever starwars computer internet admin administrator root user test testing guest login access changeme default
  temporary temp summer winter spring autumn company partner interview partnerinterview interviews settings webhook
  abc abcd abcdef qazwsx qwe asd zxc`.split(/\s+/),
)
