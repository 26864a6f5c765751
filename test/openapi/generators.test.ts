import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { engines } from '../../support/engines.ts'
import { type Service, startService } from '../../support/service.ts'
import { lint } from './lint.ts'
import { type Document, operations, readDocument } from './read-document.ts'

describe('the document for code generators', () => {
  let service: Service
  let document: Document
  let forGenerators: Document

  before(async () => {
    const [engine] = engines
    assert.ok(engine)
    service = await startService(engine)
    document = await readDocument(service.url)
    forGenerators = await readDocument(service.url, '/openapi-3.0.json')
  })
  after(() => service?.close())

  test('is OpenAPI 3.0.3, without webhooks or anything else that needs 3.1', async () => {
    assert.equal(forGenerators.openapi, '3.0.3')
    assert.ok(!('webhooks' in forGenerators))
    const text = JSON.stringify(forGenerators)
    for (const keyword of ['const', 'contentEncoding', 'contentMediaType', 'identifier']) {
      assert.ok(!text.includes(`"${keyword}":`), keyword)
    }
    assert.doesNotMatch(text, /"type":\[/)
    const problems = await lint(forGenerators)
    const texts = problems.map(({ message }) => message)
    assert.deepEqual(texts, ['Component: "ResultCompleted" is never used.'])
  })

  test('has the same operations, parameters and responses', () => {
    const [ours, theirs] = [operations(document), operations(forGenerators)]
    assert.deepEqual([...theirs.keys()], [...ours.keys()])
    for (const [route, operation] of ours) {
      const other = theirs.get(route)
      assert.equal(other?.operationId, operation.operationId)
      assert.deepEqual(other?.parameters?.map(named), operation.parameters?.map(named), route)
      assert.deepEqual(Object.keys(other?.responses ?? {}), Object.keys(operation.responses), route)
    }
  })

  test('has the same schemas with the same fields, including the event', () => {
    const names = Object.keys(document.components.schemas)
    assert.ok(names.includes('ResultCompleted'))
    assert.deepEqual(Object.keys(forGenerators.components.schemas), names)
    for (const name of names) {
      const [ours, theirs] = [document.components.schemas[name], forGenerators.components.schemas[name]]
      assert.deepEqual(Object.keys(Object(theirs?.properties)), Object.keys(Object(ours?.properties)), name)
      assert.deepEqual(theirs?.required, ours?.required, name)
    }
  })

  test('says which fields may be null', () => {
    const { externalPostingId } = propertiesOf(forGenerators, 'Template')
    assert.deepEqual(externalPostingId && { type: externalPostingId.type, nullable: externalPostingId.nullable }, {
      type: 'string',
      nullable: true,
    })
  })

  test('no model has the name of another model’s constructor', () => {
    const names = Object.keys(document.components.schemas)
    // Go clients have a New… function for every model.
    assert.deepEqual(
      names.filter((name) => names.includes(`New${name}`)),
      [],
    )
    for (const name of ['TemplateInput', 'InvitationInput', 'CandidateInput']) assert.ok(names.includes(name), name)
  })

  test('there are no patterns, because some languages’ regular expressions lack features', () => {
    assert.doesNotMatch(JSON.stringify(document), /"pattern":/)
  })
})

function named({ name, in: place, required }: { name: string; in: string; required: boolean }) {
  return { name, place, required }
}

function propertiesOf({ components }: Document, name: string): Record<string, Record<string, unknown>> {
  const { properties } = components.schemas[name] ?? {}
  return Object(properties)
}
