import type { DeliveryPayload } from '../../../server/http/settings/delivery-schemas.ts'

/** Sends the downloaded event like the service does, signed with the secret in PARTNER_WEBHOOK_SECRET. */
export function curlFor(file: string, { url, headers }: DeliveryPayload): string {
  const lines = Object.entries(headers).map(([name, value]) => `  -H ${quoted(`${name}: ${value}`)} \\`)
  return `t=$(date +%s)
v1=$({ printf '%s.' "$t"; cat ${file}; } |
  openssl dgst -sha256 -hmac "$PARTNER_WEBHOOK_SECRET" -r | cut -d ' ' -f 1)
curl ${quoted(url ?? 'https://hooks.example.com/')} \\
${lines.join('\n')}
  -H "x-service-signature: t=$t,v1=$v1" \\
  --data-binary @${file}
`
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}
