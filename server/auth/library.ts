import { hkdfSync } from 'node:crypto'
import { APIError } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import type { Database } from '../database/database.ts'
import { newId } from '../database/ids.ts'
import { maxPasswordLength, minPasswordLength } from './passwords.ts'
import { createSignInStore } from './store.ts'

const day = 24 * 60 * 60

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

/** better-auth checks passwords and stores sessions. None of its routes are exposed; only these calls are used. */
export function createLibrary({ database, secretsKey, appUrl }: LibraryDependencies) {
  const store = createSignInStore(database)
  const auth = betterAuth({
    database: store.adapter,
    baseURL: new URL(appUrl).origin,
    // Set explicitly, so that environment variables can't override them.
    secrets: [{ version: 1, value: derivedSecret(secretsKey) }],
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      // The library counts UTF-16 units, we count characters.
      maxPasswordLength: maxPasswordLength * 2,
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
        // The rest of the service doesn't need it.
        path: '/settings',
      },
      ipAddress: { disableIpTracking: true },
      database: { joins: true, generateId: () => newId('ses') },
    },
  })

  return {
    /** Null for a wrong password or an unknown user, after the same time. */
    async signIn(email: string, password: string): Promise<{ user: User; cookies: string[] } | null> {
      try {
        const { headers, response } = await store.withDatabaseErrors(() =>
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
      const { headers, response } = await store.withDatabaseErrors(() =>
        auth.api.getSession({ headers: new Headers({ cookie }), returnHeaders: true }),
      )
      const found = response && { id: response.session.id, user: response.user }
      return { found, cookies: headers.getSetCookie() }
    },

    async signOut(cookie: string): Promise<string[]> {
      const { headers } = await store.withDatabaseErrors(() =>
        auth.api.signOut({ headers: new Headers({ cookie }), returnHeaders: true }),
      )
      return headers.getSetCookie()
    },
  }
}

export type LibraryDependencies = { database: Database; secretsKey: Buffer; appUrl: string }

export type User = { id: string; email: string; name: string }

/** Cookies get their own secret: one key must not serve two purposes. */
function derivedSecret(secretsKey: Buffer): string {
  return Buffer.from(hkdfSync('sha256', secretsKey, '', 'settings session cookies', 32)).toString('base64')
}
