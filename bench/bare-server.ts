/**
 * The minimum a server has to do for these two routes: the service's statements through its driver, and JSON. No
 * validation, no request ID, no limits, no log. With SHARE_STATEMENTS, requests that arrive together have their keys checked
 * in one statement, as in the service; without it, every request runs its own.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { readConfig } from '../server/config.ts'
import { openPostgres } from '../server/database/database.ts'
import { openEmbedded } from '../server/database/embedded.ts'
import { createOrReuseTemplate, findTemplate } from '../server/interviews/templates.ts'
import { authenticate, presentKey } from '../server/organizations/authenticate.ts'
import { type Authenticator, createAuthenticator } from '../server/organizations/authenticator.ts'

const configuration = readConfig('server')
if (!configuration.ok) throw new Error(configuration.faults.join('\n'))
const { config } = configuration
const database =
  config.store.engine === 'postgres'
    ? openPostgres(config.store)
    : await openEmbedded(join(config.store.directory, 'database'))

const checkKey = process.env.SHARE_STATEMENTS ? createAuthenticator(database) : checkAlone

createServer((request, response) => {
  let text = ''
  request.setEncoding('utf8')
  request.on('data', (chunk: string) => {
    text += chunk
  })
  request.on('end', () => void answer(request, text, response))
}).listen(config.port, config.host)

process.on('SIGTERM', () => void database.close().then(() => process.exit()))

async function answer(request: IncomingMessage, text: string, response: ServerResponse): Promise<void> {
  const { method, url = '', headers } = request
  const found = url === '/readyz' ? {} : await templateFor(String(headers['x-service-api-key']), method, url, text)
  const body = JSON.stringify(found)
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) })
  response.end(body)
}

async function templateFor(key: string, method: string | undefined, url: string, text: string) {
  const authentication = await checkKey(key)
  if (authentication.outcome !== 'authenticated') throw new Error('The key is not valid')
  const { organizationId } = authentication.caller
  if (method === 'GET') return findTemplate(database, organizationId, url.slice('/v1/templates/'.length))
  const { template } = await createOrReuseTemplate(database, organizationId, JSON.parse(text), new Date())
  return template
}

async function checkAlone(key: string): ReturnType<Authenticator> {
  const presented = presentKey(key)
  const [authentication] = presented ? await authenticate(database, [presented]) : []
  return authentication ?? { outcome: 'invalid' }
}
