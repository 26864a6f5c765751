import { createAuthEndpoint } from 'better-auth/api'
import { setSessionCookie } from 'better-auth/cookies'
import type { BetterAuthPlugin } from 'better-auth/types'
import { z } from 'zod'

/** Calls that the library has no function for, on its own cookies and tables. */
export function sessionTools() {
  return {
    id: 'session-tools',
    endpoints: {
      /** Whose sign-in waits for a code, by the cookie of the second factor's plugin. */
      challengedUser: createAuthEndpoint.serverOnly({ method: 'GET', requireHeaders: true }, async (context) => {
        const { internalAdapter, createAuthCookie, secret } = context.context
        const identifier = await context.getSignedCookie(createAuthCookie('two_factor').name, secret)
        const challenge = identifier ? await internalAdapter.findVerificationValue(identifier) : null
        if (!challenge || challenge.expiresAt <= new Date()) return null
        return internalAdapter.findUserById(challenge.value)
      }),

      /** A session by single sign-on, for one organization. */
      startSession: createAuthEndpoint.serverOnly(
        { method: 'POST', body: z.object({ userId: z.string(), organizationId: z.string() }) },
        async (context) => {
          const { internalAdapter } = context.context
          const { userId, organizationId } = context.body
          const user = await internalAdapter.findUserById(userId)
          if (!user) return null
          const session = await internalAdapter.createSession(userId, false, { organizationId })
          await setSessionCookie(context, { session, user })
          return { user, token: session.token }
        },
      ),
    },
  } satisfies BetterAuthPlugin
}
