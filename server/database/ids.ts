import { typeidUnboxed } from 'typeid-js'

export type IdPrefix =
  | 'org'
  | 'key'
  | 'tpl'
  | 'cand'
  | 'inv'
  | 'int'
  | 'res'
  | 'dlv'
  | 'usr'
  | 'ses'
  | 'act'
  | 'run'
  | 'ltk'
  | 'mbi'
  | 'rst'
  | 'fac'
  | 'chl'
  | 'msg'

/** A TypeID: later IDs sort after earlier ones. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

/** Keeps other input from reaching the database. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && suffix.test(text.slice(prefix.length + 1))
}

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/
