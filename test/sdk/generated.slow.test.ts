import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { typesOf } from '../../sdk/generate/types.ts'
import { engines } from '../../support/engines.ts'
import { temporaryFolder } from '../../support/process.ts'
import { type Service, startService } from '../../support/service.ts'

const root = join(import.meta.dirname, '..', '..')
const run = promisify(execFile)

let service: Service
before(async () => {
  const [engine] = engines
  assert.ok(engine)
  service = await startService(engine)
})
after(() => service.close())

test('the committed types match the OpenAPI document', async () => {
  const document = JSON.parse(await (await fetch(`${service.url}/openapi.json`)).text())
  const committed = await readFile(join(root, 'sdk', 'src', 'openapi.ts'), 'utf8')
  // Not assert.equal: computing the diff of two files this long takes seconds.
  assert.ok(committed === (await typesOf(document)), 'sdk/src/openapi.ts is out of date: run npm run generate')
})

test('a client from an independent generator compiles and works against the running service', async () => {
  await using folder = await temporaryFolder()
  const generator = join(root, 'node_modules', '@hey-api', 'openapi-ts', 'dist', 'run.mjs')
  const withTypescript = ['--import', join(root, 'sdk', 'generate', 'typescript-5.ts')]
  const args = ['-i', `${service.url}/openapi.json`, '-o', 'client', '-c', '@hey-api/client-fetch', '--no-log-file']
  await run(process.execPath, [...withTypescript, generator, ...args], { cwd: folder.path })

  await writeFile(join(folder.path, 'package.json'), '{"type":"module"}')
  await writeFile(join(folder.path, 'program.ts'), program)
  await writeFile(join(folder.path, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['.'] }))
  const compiler = join(root, 'node_modules', 'typescript', 'bin', 'tsc')
  const compiled = await run(process.execPath, [compiler], { cwd: folder.path }).catch((error: unknown) => error)
  assert.partialDeepStrictEqual(compiled, { stdout: '' })

  const { key } = await service.partner()
  const { stdout } = await run(process.execPath, ['program.js', service.url, key], { cwd: folder.path })
  assert.deepEqual(JSON.parse(stdout), {
    titles: ['New', 'SCHEDULED'],
    again: 200,
    listed: 1,
    results: 0,
    refusal: 'Template not found',
  })
})

const compilerOptions = {
  strict: true,
  target: 'es2022',
  module: 'nodenext',
  skipLibCheck: true,
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
}

const program = `
import { client } from './client/client.gen.js'
import { createInvitation, createTemplate, getTemplate, listResults, listTemplates, updateTemplate } from './client/sdk.gen.js'

const [, , baseUrl = '', auth = ''] = process.argv
client.setConfig({ baseUrl, auth })
const body = { title: 'Backend', description: 'Queues.', externalPostingId: 'job-1' }
const { data: template } = await createTemplate({ body, throwOnError: true })
const again = await createTemplate({ body, throwOnError: true })
const path = { id: template.id }
const { data: changed } = await updateTemplate({ path, body: { title: 'New' }, throwOnError: true })
const candidate = { email: 'ada@example.com', firstName: 'Ada' }
const { data: invited } = await createInvitation({ body: { templateId: template.id, candidate }, throwOnError: true })
const { data: listed } = await listTemplates({ query: { limit: 1, externalPostingId: 'job-1' }, throwOnError: true })
const { data: results } = await listResults({ query: { invitationId: invited.id }, throwOnError: true })
const { error } = await getTemplate({ path: { id: 'tpl_none' } })
const titles: string[] = [changed.title, invited.interview.status]
console.log(JSON.stringify({
  titles,
  again: again.response.status,
  listed: listed.data.length,
  results: results.data.length,
  refusal: error?.error,
}))
`
