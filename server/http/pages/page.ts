import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { FastifyReply } from 'fastify'
import { Html, html, plain } from './html.ts'

export type Page = {
  title: string
  body: Html
  style: Stylesheet
  /** Extra elements for the document head. */
  head?: Html
  /** Extra directives for the content security policy. */
  allows?: string
}

export type Stylesheet = { text: string; hash: string }

/** Styles are inline, so a page takes one request. The policy allows them by hash. */
export function stylesheet(...files: string[]): Stylesheet {
  const text = files.map((file) => readFileSync(new URL(file, import.meta.url), 'utf8')).join('\n')
  return { text, hash: createHash('sha256').update(text).digest('base64') }
}

export function sendPage(
  reply: FastifyReply,
  status: number,
  { title, body, style, head, allows = "form-action 'none'" }: Page,
) {
  const policy = [
    "default-src 'none'",
    `style-src 'sha256-${style.hash}'`,
    "base-uri 'none'",
    "frame-ancestors 'none'",
    allows,
  ].join('; ')
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex, nofollow">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${plain(title)}</title>
<style>${new Html(style.text)}</style>${head ?? null}
</head>
<body>
${body}
</body>
</html>
`
  return reply
    .code(status)
    .headers({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': policy,
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
    })
    .send(document.text)
}
