import type { Activity } from '../../../server/http/settings/schemas.ts'

type Description = { text: string; note: string | null }

/** Continues a sentence that starts with the actor's name. */
export function describeActivity({ action, subject, detail }: Activity): Description {
  const description = (text: string, note = detail): Description => ({ text, note })
  switch (action) {
    case 'organization.activated':
      return description(`activated ${subject}`)
    case 'organization.deactivated':
      return description(`deactivated ${subject}`)
    case 'key.created':
      return description(`created the API key ${subject}`)
    case 'key.revoked':
      return description(`revoked the API key ${subject}`)
    case 'key.renamed':
      return description(`renamed the API key ${subject}`)
    case 'key.expiry_changed':
      return description(`changed when the API key ${subject} expires`)
    case 'key.rotated':
      return description(`replaced the API key ${subject}`)
    case 'webhook.saved':
      return description(`set the webhook to ${subject}`)
    case 'webhook.enabled':
      return description(`enabled the webhook for ${subject}`)
    case 'webhook.disabled':
      return description(`disabled the webhook for ${subject}`)
    case 'webhook.removed':
      return description(`removed the webhook for ${subject}`)
    case 'webhook.secret_changed':
      return description(`changed the signing secret for ${subject}`)
    case 'webhook.secret_prepared':
      return description(`prepared a new signing secret for ${subject}`)
    case 'webhook.secret_activated':
      return description(`activated the new signing secret for ${subject}`)
    case 'webhook.secret_discarded':
      return description(`discarded the new signing secret for ${subject}`)
    case 'webhook.pace_changed':
      return description(`changed how fast events are sent to ${subject}`)
    case 'webhook.checked':
      return description(`checked the receiver at ${subject}`)
    case 'listen_token.created':
      return description(`created the listen token ${subject}`)
    case 'listen_token.revoked':
      return description(`revoked the listen token ${subject}`)
    case 'delivery.retried':
      return description(`retried delivery ${subject}`)
    case 'deliveries.retried':
      return description(`retried ${subject}`)
    case 'candidate.erased':
      return description(`erased the personal data of candidate ${subject}`)
    case 'member.added':
      return description(`added ${subject}${detail ? ` as ${detail}` : ''}`, null)
    case 'member.removed':
      return description(`removed ${subject}`)
    case 'member.password_set':
      return description(`set a new password for ${subject}`)
  }
}
