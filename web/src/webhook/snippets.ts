export const typescript = `import { verify } from '@partner-interview/sdk'

export async function receive(request: Request): Promise<Response> {
  const rawBody = await request.arrayBuffer()
  const verified = await verify(rawBody, request.headers, process.env.PARTNER_WEBHOOK_SECRET!)
  if (!verified.ok) return new Response(verified.reason, { status: verified.status })

  await store(verified.event)        // once per verified.event.resultId
  return new Response(null, { status: 200 })
}
`

/** The function in docs/webhooks.md; a test compares the two. */
export const shell = `is_genuine() { # file with the raw body, header value, secret, Unix time
  [ -n "$3" ] || { echo 'The signing secret is missing or empty.' >&2; return 2; }
  t=$(printf '%s\\n' "$2" | tr ',' '\\n' | sed -n 's/^t=//p')
  v1=$(printf '%s\\n' "$2" | tr ',' '\\n' | sed -n 's/^v1=//p')
  case $t in '' | 0* | *[!0-9]* | ?????????????*) return 1 ;; esac
  age=$((\${4:-$(date +%s)} - t))
  [ "\${age#-}" -le 300 ] || return 1
  expected=$({ printf '%s.' "$t"; cat "$1"; } | openssl dgst -sha256 -hmac "$3" | sed 's/^.* //')
  [ -n "$expected" ] && [ "$v1" = "$expected" ]
}

# body.json: the raw request body. SIGNATURE: the X-Service-Signature header.
is_genuine body.json "$SIGNATURE" "$PARTNER_WEBHOOK_SECRET" && echo valid || echo invalid
`
