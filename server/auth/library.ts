import { hkdfSync } from 'node:crypto'
import { APIError } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { longestPassword, shortestPassword } from './passwords.ts'
import { createSignInStore } from './store.ts'

const day = 24 * 60 * 60

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** The library that checks passwords and keeps sessions. None of its routes is reachable: only these calls are made. */
export function createLibrary({ database, secretsKey, appUrl }: LibraryDependencies) {
  const store = createSignInStore(database)
  const auth = betterAuth({
    database: store.adapter,
    baseURL: new URL(appUrl).origin,
    // Both named here, so that no variable of the environment takes their place.
    secrets: [{ version: 1, value: derivedSecret(secretsKey) }],
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength: shortestPassword,
      // It counts UTF-16 units where we count characters.
      maxPasswordLength: longestPassword * 2,
    },
    user: { modelName: 'users', fields: { ...times, emailVerified: 'email_verified' } },
    account: {
      modelName: 'accounts',
      fields: { ...times, userId: 'user_id', accountId: 'account_id', providerId: 'provider_id' },
    },
    session: {
      modelName: 'sessions',
      fields: {
        ...times,
        userId: 'user_id',
        expiresAt: 'expires_at',
        ipAddress: 'ip_address',
        userAgent: 'user_agent',
      },
      expiresIn: 7 * day,
      updateAge: day,
      cookieCache: { enabled: false },
    },
    advanced: {
      cookiePrefix: 'settings',
      useSecureCookies: appUrl.startsWith('https:'),
      defaultCookieAttributes: {
        httpOnly: true,
        sameSite: 'lax',
        // Nothing else in the service needs to see it.
        path: '/settings',
      },
      ipAddress: { disableIpTracking: true },
      database: { joins: true, generateId: () => newId('ses') },
    },
  })

  return {
    /** Null for a wrong password and for somebody unknown, after the same time. */
    async signIn(email: string, password: string): Promise<{ user: User; cookies: string[] } | null> {
      try {
        const { headers, response } = await store.watched(() =>
          auth.api.signInEmail({ body: { email, password }, headers: new Headers(), returnHeaders: true }),
        )
        return { user: response.user, cookies: headers.getSetCookie() }
      } catch (error) {
        if (error instanceof APIError && (error.status === 'UNAUTHORIZED' || error.status === 'BAD_REQUEST'))
          return null
        throw error
      }
    },

    async session(cookie: string): Promise<{ found: { id: string; user: User } | null; cookies: string[] }> {
      const { headers, response } = await store.watched(() =>
        auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true }),
      )
      const found = response && { id: response.session.id, user: response.user }
      return { found, cookies: headers.getSetCookie() }
    },

    async signOut(cookie: string): Promise<string[]> {
      const { headers } = await store.watched(() =>
        auth.api.signOut({ headers: new Headers({ cookie }), returnHeaders: true }),
      )
      return headers.getSetCookie()
    },
  }
}

export type LibraryDependencies = { database: Database; secretsKey: Buffer; appUrl: string }

export type User = { id: string; email: string; name: string }

/** Cookies are signed under a secret of their own: what signs one thing must not open another. */
function derivedSecret(secretsKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', 'settings session cookies', 32)).toString('base64')
}
