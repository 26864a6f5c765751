import sql, { type Sql } from 'sql-template-tag'

// Lowercase letters that share their capital with another one. A stored key must always fold the same, so a change of this
// list needs a migration. Not in it: the dotless ı, which is another letter than i, and the iota subscript, which belongs to
// the letter before it.
const variants = 'µſςϐϑϕϖϰϱϵᲀᲁᲂᲃᲄᲅᲆᲇᲈẛ'
const letters = 'μsσβθφπκρεвдосттъѣꙋṡ'

const letterOf = new Map([...variants].map((variant, index) => [variant, [...letters][index]]))
const anyVariant = new RegExp(`[${variants}]`, 'gu')

/** Ignores case and the two Unicode spellings of accents, so that one person is one candidate however they type it. */
export function emailKeyOf(email: string): string {
  return email
    .toLowerCase()
    .replaceAll(anyVariant, (variant) => letterOf.get(variant) ?? variant)
    .normalize('NFC')
}

/** The same in SQL, for keys from before two spellings were treated as equal, and for names. */
export function folded(text: Sql): Sql {
  return sql`normalize(translate(lower(${text}), ${variants}, ${letters}), NFC)`
}
