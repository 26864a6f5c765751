import assert from 'node:assert/strict'
import { test } from 'node:test'
import { renderMail } from '../../server/notifications/render.ts'

function nameIn(organization: string): string | undefined {
  const { text } = renderMail({ kind: 'test', values: { organization } }, 'https://interviews.example')
  return /webhook of (.*) will arrive/.exec(text)?.[1]
}

test('a name gets an ellipsis only if it is cut, however many code units its characters take', () => {
  assert.equal(nameIn('🎉'.repeat(200)), '🎉'.repeat(200))
  assert.equal(nameIn('🎉'.repeat(201)), `${'🎉'.repeat(199)}…`)
})
