/** Tells the browser to save the response under this name. */
export function attachment(name: string, type: string): Record<string, string> {
  return { 'content-type': type, 'content-disposition': `attachment; filename="${name}"` }
}

export const csvType = 'text/csv; charset=utf-8'

/** Makes spreadsheets read the file as UTF-8. */
export const byteOrderMark = '\ufeff'

/** RFC 4180. */
export function toCsv(rows: readonly (readonly (string | number | null)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('')
}

function cell(value: string | number | null): string {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  // A spreadsheet would run what begins like this as a formula, and names come from outside. Some split cells at other
  // characters than commas, even in quotes.
  const text = value.replace(formulaStart, "'").replace(/^(?=[\t\r])/, "'")
  return /[",;\t\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

const formulaStart = /(?<=(?:^|[,;\t\r\n])[^\S\t\r\n]*)(?=[=+\-@\uff1d\uff0b\uff0d\uff20])/g
