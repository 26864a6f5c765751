import { answer, command } from './narrator.ts'
import type { Service } from './service.ts'

/** A command of the command line, shown as one would type it, with what it printed. */
export async function run<Printed>(service: Service, args: string[]): Promise<Printed> {
  const printed: Printed = JSON.parse(await service.command([...args, '--json']))
  command(`npx partner-interview-admin ${[...args, '--json'].join(' ')}`)
  answer(printed)
  return printed
}

export type Call = <Body>(wanted: { method?: 'POST'; path: string; body?: object; status: number }) => Promise<Body>

/** Requests to the API, each shown as the curl line that makes it, with the answer. */
export function caller(url: string, key: string): Call {
  return async <Body>({ method, path, body, status }: Parameters<Call>[0]) => {
    const json = body && JSON.stringify(body)
    command(curlLine(`${url}${path}`, json))
    const response = await fetch(`${url}${path}`, {
      headers: { 'X-Service-Api-Key': key, ...(json && { 'Content-Type': 'application/json' }) },
      ...(method && { method }),
      ...(json && { body: json }),
    })
    const answered: Body = JSON.parse(await response.text())
    answer(answered, response.status)
    if (response.status !== status) throw new Error(`${path} answered ${response.status} instead of ${status}`)
    return answered
  }
}

function curlLine(address: string, json: string | undefined): string {
  const quoted = /[?&]/.test(address) ? `'${address}'` : address
  const lines = [`curl -s ${quoted}`, '-H "X-Service-Api-Key: $KEY"']
  if (json !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${json}'`)
  return lines.join(' \\\n')
}
