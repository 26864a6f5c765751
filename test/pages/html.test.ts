import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { html, plain } from '../../server/http/pages/html.ts'

test('text is escaped, in content and in quoted attributes', () => {
  const hostile = `<script>alert("1")</script> & 'more'`
  assert.equal(
    html`<p title="${hostile}">${hostile}</p>`.text,
    '<p title="&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;more&#39;">' +
      '&#60;script&#62;alert(&#34;1&#34;)&#60;/script&#62; &#38; &#39;more&#39;</p>',
  )
})

test('no text can open a tag, close an attribute or start an entity', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => {
      const { text: markup } = html`${text}`
      assert.doesNotMatch(markup.replaceAll(/&#\d+;/g, ''), /[<>&"']/)
      assert.equal(
        markup.replaceAll(/&#(\d+);/g, (_, code) => String.fromCharCode(Number(code))),
        text,
      )
    }),
  )
})

test('markup inside markup is not escaped twice, lists are joined, and null adds nothing', () => {
  const points = ['a', '<b>'].map((point) => html`<li>${point}</li>`)
  assert.equal(html`<ul>${points}</ul>${null}${0}`.text, '<ul><li>a</li><li>&#60;b&#62;</li></ul>0')
})

test('a title keeps its letters and loses characters that would reorder the text next to it', () => {
  assert.equal(plain('a\u202Eb\u2066c\u200F عربي'), 'abc عربي')
})
