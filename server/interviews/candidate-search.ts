import sql, { join, type Sql } from 'sql-template-tag'
import { emailKeyOf } from './email-key.ts'

// Not `like`, whose wildcards would have to be escaped and which uses an index only for a known pattern.
const lastCharacter = '\u{10ffff}'

/** SQL condition on interviews `i`: the email address, the full name or the last name starts like this. */
export function candidateMatches(prefix: string): Sql {
  return sql`(${join(waysToMatch(prefix), ' or ')})`
}

/** The same, one condition for each index. Only an email address has an @. */
export function waysToMatch(prefix: string): Sql[] {
  const emailKey = emailKeyOf(prefix)
  const email = sql`(i.email_key ~>=~ ${emailKey} and i.email_key ~<~ ${`${emailKey}${lastCharacter}`})`
  if (prefix.includes('@')) return [email]
  const names = [sql`lower(i.first_name || ' ' || i.last_name)`, sql`lower(i.last_name)`]
  return [email, ...names.map((name) => startsWith(name, prefix))]
}

/** SQL condition: the lowercase text starts like this. It uses an index with text_pattern_ops. */
export function startsWith(lowercase: Sql, prefix: string): Sql {
  return sql`(${lowercase} ~>=~ lower(${prefix}) and ${lowercase} ~<~ (lower(${prefix}) || ${lastCharacter}))`
}
