import { command, output } from './narrator.ts'
import type { Service } from './service.ts'

/** Runs a command and prints it as you would type it, with its output. */
export async function run<Printed>(service: Service, args: string[]): Promise<Printed> {
  const printed: Printed = JSON.parse(await service.command([...args, '--json']))
  command(`npx partner-interview-admin ${[...args, '--json'].join(' ')}`)
  output(printed)
  return printed
}

export type Call = <Body>(request: { method?: 'POST'; path: string; body?: object; status: number }) => Promise<Body>

/** Calls the API and prints each call as a curl command, with its response. */
export function caller(url: string, key: string): Call {
  return async <Body>({ method, path, body, status }: Parameters<Call>[0]) => {
    const json = body && JSON.stringify(body)
    command(curlLine(`${url}${path}`, json))
    const response = await fetch(`${url}${path}`, {
      headers: { 'X-Service-Api-Key': key, ...(json && { 'Content-Type': 'application/json' }) },
      ...(method && { method }),
      ...(json && { body: json }),
    })
    const parsed: Body = JSON.parse(await response.text())
    output(parsed, response.status)
    if (response.status !== status) throw new Error(`${path} responded with ${response.status} instead of ${status}`)
    return parsed
  }
}

function curlLine(url: string, json: string | undefined): string {
  const quoted = /[?&]/.test(url) ? `'${url}'` : url
  const lines = [`curl -s ${quoted}`, '-H "X-Service-Api-Key: $KEY"']
  if (json !== undefined) lines.push("-H 'Content-Type: application/json'", `-d '${json}'`)
  return lines.join(' \\\n')
}
