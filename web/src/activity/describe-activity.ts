import type { Activity } from '../../../server/http/settings/schemas.ts'
import { inFull } from '../parts/times.ts'

type Description = { text: string; note: string | null }

/** Continues a sentence that starts with the actor's name. */
export function describeActivity({ action, subject, detail, endsAt }: Activity, now: number): Description {
  // Entries of earlier versions have it in their detail.
  const ends = (words: string) => endsAt && `${words} ${inFull(endsAt, now)}`
  const joined = (...notes: (string | null)[]) => notes.filter((note) => note !== null).join('; ') || null
  const description = (text: string, note = detail): Description => ({ text, note })
  switch (action) {
    case 'organization.activated':
      return description(`activated ${subject}`)
    case 'organization.deactivated':
      return description(`deactivated ${subject}`)
    case 'key.created':
      return description(`created the API key ${subject}`, joined(detail, ends('expires')))
    case 'key.revoked':
      return description(`revoked the API key ${subject}`)
    case 'key.renamed':
      return description(`renamed the API key ${subject}`)
    case 'key.expiry_changed':
      return description(`changed when the API key ${subject} expires`, detail ?? ends('expires') ?? 'never')
    case 'key.rotated':
      return description(`replaced the API key ${subject}`, joined(detail, ends('the old key works until')))
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
    case 'chat_webhook.saved':
      return description(`set the chat webhook to ${subject}`)
    case 'chat_webhook.removed':
      return description(`removed the chat webhook for ${subject}`)
    case 'alert_emails.enabled':
      return description('turned on email alerts for themselves')
    case 'alert_emails.disabled':
      return description('turned off email alerts for themselves')
    case 'notifications.tested':
      return description(`sent a test message to ${subject}`)
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
    case 'member.invited':
      return description(`invited ${subject}${detail ? ` as ${detail}` : ''}`, null)
    case 'member.invitation_renewed':
      return description(`invited ${subject} again`)
    case 'member.invitation_withdrawn':
      return description(`withdrew the invitation for ${subject}`)
    case 'member.joined':
      return description(`joined${detail ? ` as ${detail}` : ''}`, null)
    case 'member.role_changed':
      return description(`changed the role of ${subject}${detail ? ` to ${detail}` : ''}`, null)
    case 'member.signed_out':
      return description(`signed ${subject} out`)
    case 'member.reset_link_created':
      return description(`created a password reset link for ${subject}`)
    case 'member.second_factor_on':
      return description('turned on two-step verification')
    case 'member.second_factor_off':
      return description('turned off two-step verification')
    case 'member.second_factor_reset':
      return description(`turned off two-step verification for ${subject}`)
    case 'member.recovery_codes_renewed':
      return description('created new recovery codes')
    case 'organization.second_factor_required':
      return description('required two-step verification for all members')
    case 'organization.second_factor_optional':
      return description('made two-step verification optional')
    case 'single_sign_on.saved':
      return description(`set up single sign-on for ${subject}`)
    case 'single_sign_on.removed':
      return description(`turned off single sign-on for ${subject}`)
    case 'single_sign_on.domain_confirmed':
      return description(`confirmed the domain ${subject}`)
  }
}
