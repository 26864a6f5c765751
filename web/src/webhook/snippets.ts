export const typescript = `import { verify } from '@partner-interview/sdk'

export async function receive(request: Request): Promise<Response> {
  const rawBody = await request.arrayBuffer()
  const verified = await verify(rawBody, request.headers, process.env.SIGNING_SECRET!)
  if (!verified.ok) return new Response(verified.reason, { status: verified.status })

  await store(verified.event)        // once per verified.event.resultId
  return new Response(null, { status: 200 })
}
`

export const shell = `# body.json: the raw request body. SIGNATURE: the X-Service-Signature header.
t=$(printf '%s' "$SIGNATURE" | sed -n 's/.*t=\\([0-9]*\\).*/\\1/p')
v1=$(printf '%s' "$SIGNATURE" | sed -n 's/.*v1=\\([0-9a-f]*\\).*/\\1/p')

computed=$({ printf '%s.' "$t"; cat body.json; } |
  openssl dgst -sha256 -hmac "$SIGNING_SECRET" -r | cut -d ' ' -f 1)

age=$(( $(date +%s) - t ))
[ "$computed" = "$v1" ] && [ "\${age#-}" -le 300 ] && echo valid || echo 'invalid: respond with 401'
`
