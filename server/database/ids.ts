import { typeidUnboxed } from 'typeid-js'

export type IdPrefix = 'org' | 'key' | 'tpl' | 'cand' | 'inv' | 'int' | 'res' | 'dlv' | 'usr' | 'ses' | 'act' | 'run'

/** A new id: its prefix says what it names, and a later one sorts after an earlier one. */
export function newId(prefix: IdPrefix): string {
  return typeidUnboxed(prefix)
}

/** Whether a text can be an id of this kind at all. Whatever else a caller sends never reaches the database. */
export function isId(prefix: IdPrefix, text: string): boolean {
  return text.startsWith(`${prefix}_`) && suffix.test(text.slice(prefix.length + 1))
}

const suffix = /^[0-7][0-9a-hjkmnp-tv-z]{25}$/
