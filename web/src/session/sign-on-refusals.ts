/** Why someone who came back from their identity provider isn’t signed in. */
export const signOnRefusals = {
  expired: 'This sign-in took too long or started in another browser. Try again.',
  failed: 'Your identity provider’s response couldn’t be verified. Try again, or tell an admin.',
  throttled: 'Too many attempts. Try again in a few minutes.',
  wrong_domain: 'Your identity provider signed you in with an address that isn’t in your organization’s domain.',
  not_member: 'You’re not a member yet. Ask an admin to invite you. If you were invited, open the link you got.',
}

export type SignOnRefusal = keyof typeof signOnRefusals

export function isSignOnRefusal(value: unknown): value is SignOnRefusal {
  return typeof value === 'string' && Object.hasOwn(signOnRefusals, value)
}
