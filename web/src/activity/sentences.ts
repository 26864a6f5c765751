import type { Activity } from '../../../server/http/settings/schemas.ts'

type Said = { did: string; note: string | null }

/** What somebody did, so that it reads on from their name. */
export function sentenceOf({ action, subject, detail }: Activity): Said {
  const said = (did: string, note = detail): Said => ({ did, note })
  switch (action) {
    case 'key.created':
      return said(`made the API key ${subject}`)
    case 'key.revoked':
      return said(`revoked the API key ${subject}`)
    case 'webhook.saved':
      return said(`set the webhook to ${subject}`)
    case 'webhook.enabled':
      return said(`enabled the webhook to ${subject}`)
    case 'webhook.disabled':
      return said(`disabled the webhook to ${subject}`)
    case 'webhook.removed':
      return said(`removed the webhook to ${subject}`)
    case 'webhook.secret_changed':
      return said(`changed the signing secret of the webhook to ${subject}`)
    case 'webhook.checked':
      return said(`checked the receiver at ${subject}`)
    case 'delivery.retried':
      return said(`retried the delivery ${subject}`)
    case 'deliveries.retried':
      return said(`retried ${subject}`)
    case 'candidate.erased':
      return said(`erased the personal data of the candidate ${subject}`)
    case 'member.added':
      return said(`added ${subject}${detail ? ` as ${detail}` : ''}`, null)
    case 'member.removed':
      return said(`removed ${subject}`)
    case 'member.password_set':
      return said(`set a new password for ${subject}`)
  }
}
