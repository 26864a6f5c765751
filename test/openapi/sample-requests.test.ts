import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { documentedName, partnerRoutes } from '../../support/partner-routes.ts'
import { apiUrl, type Service, startService } from '../../support/service.ts'

type Sent = { method: string; address: string; headers: Record<string, string>; body?: string }

type PostmanItem = {
  request: {
    method: string
    url: { host: string[]; path: string[]; query: unknown[]; variable: { key: string; value: string }[] }
    header: { key: string; value: string }[]
    body?: { mode: 'raw'; raw: string }
  }
  event?: { script: { exec: string[] } }[]
}

describe('sample requests', () => {
  let service: Service
  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    service = await startService(engine)
  })
  after(() => service?.close())

  test('the Postman collection has a request for every route, and each succeeds', async () => {
    const { info, auth, variable, item } = JSON.parse(await read('/postman.json'))
    assert.match(info.schema, /collection\/v2\.1\.0/)
    assert.deepEqual(auth.apikey.map(({ value }: { value: string }) => value).slice(0, 2), [
      'X-Service-Api-Key',
      '{{apiKey}}',
    ])
    assert.deepEqual(variable[0], { key: 'baseUrl', value: apiUrl })
    const items: PostmanItem[] = item.flatMap((folder: { item: PostmanItem[] }) => folder.item)
    assert.deepEqual(items[0]?.event?.[0]?.script.exec, [
      "pm.collectionVariables.set('templateId', pm.response.json().id)",
    ])
    await sendAll(items.map(postmanRequest))
  })

  test('the request file has a request for every route, and each succeeds', async () => {
    const file = await read('/requests.http')
    assert.match(file, new RegExp(`^@baseUrl = ${apiUrl}$`, 'm'))
    await sendAll(
      file
        .split(/^### .*\n/m)
        .slice(1)
        .map(requestInFile),
    )
  })

  async function read(path: string): Promise<string> {
    const response = await fetch(`${service.url}${path}`)
    assert.equal(response.status, 200)
    return response.text()
  }

  async function sendAll(requests: Sent[]): Promise<void> {
    const { key } = await service.partner()
    const variables: Record<string, string> = { baseUrl: service.url, apiKey: key }
    const filled = (text: string) => text.replaceAll(/\{\{(\w+)\}\}/g, (_, name) => String(variables[name]))
    const routes: string[] = []
    for (const { method, address, headers, body } of requests) {
      const url = filled(address)
      const response = await fetch(url, {
        method,
        headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, filled(value)])),
        ...(body !== undefined && { body: filled(body) }),
      })
      assert.ok(response.ok, `${method} ${url}: ${response.status}`)
      const { id }: { id?: string } = JSON.parse(await response.text())
      if (id?.startsWith('tpl_')) variables.templateId = id
      routes.push(`${method} ${new URL(url).pathname.replace(/tpl_\w+/, '{id}')}`)
    }
    assert.deepEqual(routes.toSorted(), partnerRoutes.map(documentedName).toSorted())
  }
})

function postmanRequest({ request: { method, url, header, body } }: PostmanItem): Sent {
  const path = url.path.map((part) => url.variable.find(({ key }) => part === `:${key}`)?.value ?? part)
  const headers = Object.fromEntries(header.map(({ key, value }) => [key, value]))
  return {
    method,
    address: [...url.host, ...path].join('/'),
    headers: { ...headers, 'X-Service-Api-Key': '{{apiKey}}' },
    ...(body && { body: body.raw }),
  }
}

function requestInFile(text: string): Sent {
  const [head = '', body] = text
    .replaceAll(/^#.*\n/gm, '')
    .trim()
    .split('\n\n')
  const [line = '', ...lines] = head.split('\n')
  const [method = '', address = ''] = line.split(' ')
  const headers = Object.fromEntries(lines.map((header) => header.split(': ')))
  return { method, address, headers, ...(body !== undefined && { body }) }
}
