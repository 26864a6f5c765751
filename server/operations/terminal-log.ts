import { requestCompleted } from '../http/log-messages.ts'

/** A JSON log line for people: one line each, except for the stack of an error. */
export function formatForTerminal(line: string): string {
  const { level, time, msg, err, pid: _, ...fields }: Record<string, unknown> = JSON.parse(line)
  const clock = new Date(String(time)).toLocaleTimeString('en-GB')
  const color = levelColors[String(level)] ?? levelColors.info
  const text = msg === requestCompleted ? requestLine(fields) : [safe(String(msg)), ...known(fields)].join(' ')
  return `${gray}${clock}${reset} ${color}${String(level).padEnd(5)}${reset} ${text}${stackOf(err)}\n`
}

const gray = '\u001b[90m'
const reset = '\u001b[39m'
const levelColors: Record<string, string> = {
  fatal: '\u001b[31m',
  error: '\u001b[31m',
  warn: '\u001b[33m',
  info: '\u001b[32m',
}

function requestLine({ method, route, status, milliseconds, reqId }: Record<string, unknown>): string {
  return `${method} ${route} ${status} ${rounded(milliseconds)} ms ${gray}${reqId}${reset}`
}

function known(fields: Record<string, unknown>): string[] {
  return Object.entries(fields)
    .filter(([, value]) => value !== null)
    .map(([name, value]) => `${gray}${name}=${reset}${valueText(value)}`)
}

/** Quoted unless it is one plain word: a terminal acts on some of what strangers can put into a text. */
function valueText(value: unknown): string {
  const isPlain = typeof value === 'string' && /^[\w.:/@-]+$/.test(value)
  return isPlain ? value : JSON.stringify(value, (_, part) => rounded(part))
}

/** Nobody reads microseconds on a terminal. */
function rounded(value: unknown): unknown {
  if (typeof value !== 'number') return value
  return Math.abs(value) >= 10 ? Math.round(value) : Math.round(value * 10) / 10
}

function stackOf(err: unknown): string {
  if (typeof err !== 'object' || err === null) return ''
  const text = 'stack' in err ? err.stack : 'message' in err ? err.message : JSON.stringify(err)
  return `\n${safe(String(text)).replace(/^/gm, '  ')}`
}

/** Errors can quote what strangers sent, such as the names in a certificate. A terminal would act on its controls. */
function safe(text: string): string {
  return text.replace(/(?!\n)\p{Cc}/gu, '\ufffd')
}
