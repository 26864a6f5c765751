import { APIError } from 'better-auth/api'
import { betterAuth } from 'better-auth/minimal'
import { twoFactor } from 'better-auth/plugins/two-factor'
import type { Database } from '../database/database.ts'
import { type IdPrefix, newId } from '../database/ids.ts'
import type { SecretsKeys } from '../endpoints/secrets.ts'
import { keyring } from './keyring.ts'
import { hashPassword, matchesPassword, maxPasswordLength, minPasswordLength } from './passwords.ts'
import { sessionTools } from './session-tools.ts'
import { createSignInStore } from './store.ts'

const day = 24 * 60 * 60

const times = { createdAt: 'created_at', updatedAt: 'updated_at' }

const idPrefixes: Record<string, IdPrefix> = { twoFactor: 'fac', verification: 'chl' }

/** What authenticator apps call this service. */
const issuer = 'Partner Interview'

/** better-auth checks passwords and codes and stores sessions. None of its routes are exposed; only these calls are used. */
export function createLibrary({ database, secretsKeys, appUrl }: LibraryDependencies) {
  const store = createSignInStore(database)
  const auth = betterAuth({
    database: store.adapter,
    baseURL: new URL(appUrl).origin,
    // Set explicitly, so that environment variables can't override them.
    secrets: keyring(secretsKeys),
    telemetry: { enabled: false },
    logger: { disabled: true },
    rateLimit: { enabled: false },
    emailAndPassword: {
      enabled: true,
      disableSignUp: true,
      minPasswordLength,
      // The library counts UTF-16 units, we count characters.
      maxPasswordLength: maxPasswordLength * 2,
      password: { hash: hashPassword, verify: ({ password, hash }) => matchesPassword(password, hash) },
    },
    user: { modelName: 'users', fields: { ...times, emailVerified: 'email_verified' } },
    account: {
      modelName: 'accounts',
      fields: { ...times, userId: 'user_id', accountId: 'account_id', providerId: 'provider_id' },
    },
    verification: {
      modelName: 'sign_in_challenges',
      fields: { ...times, expiresAt: 'expires_at' },
      storeIdentifier: 'hashed',
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
      additionalFields: {
        lastSeenAt: { type: 'date', required: false, input: false, fieldName: 'last_seen_at' },
        organizationId: { type: 'string', required: false, input: false, fieldName: 'organization_id' },
      },
      expiresIn: 7 * day,
      updateAge: day,
      cookieCache: { enabled: false },
    },
    plugins: [
      twoFactor({
        issuer,
        twoFactorTable: 'second_factors',
        // Attempts are counted by network and account, as for passwords: a lockout would hit the owner too.
        accountLockout: { enabled: false },
        schema: {
          user: { fields: { twoFactorEnabled: 'two_factor_enabled' } },
          twoFactor: {
            fields: {
              userId: 'user_id',
              backupCodes: 'backup_codes',
              failedVerificationCount: 'failed_verification_count',
              lockedUntil: 'locked_until',
            },
          },
        },
      }),
      sessionTools(),
    ],
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
      database: { joins: true, generateId: ({ model }) => newId(idPrefixes[model] ?? 'ses') },
    },
  })

  /** The result and the cookies to send, or null for a wrong password or code. */
  async function attempt<Response>(
    call: () => Promise<{ headers: Headers; response: Response }>,
  ): Promise<{ response: Response; cookies: string[] } | null> {
    try {
      const { headers, response } = await store.withDatabaseErrors(call)
      return { response, cookies: headers.getSetCookie() }
    } catch (error) {
      if (error instanceof APIError && rejections.has(String(error.status))) return null
      throw error
    }
  }

  const inBrowser = (cookie: string) => ({ headers: new Headers({ cookie }), returnHeaders: true }) as const

  return {
    /** Null for a wrong password or an unknown user, after the same time. */
    async signIn(email: string, password: string): Promise<NewSession | Challenge | null> {
      const body = { email, password }
      const done = await attempt(() => auth.api.signInEmail({ body, headers: new Headers(), returnHeaders: true }))
      if (!done) return null
      const { response, cookies } = done
      // The second factor's plugin replaces the response, which its type doesn't say.
      if (!('token' in response)) return { challenge: cookies.filter((line) => /^[^=]*\.two_factor=/.test(line)) }
      return { user: toUser(response.user), token: response.token, cookies }
    },

    /** Whose sign-in waits for a code in this browser. */
    async challenged(cookie: string): Promise<User | null> {
      const user = await store.withDatabaseErrors(() => auth.api.challengedUser({ headers: new Headers({ cookie }) }))
      return user && toUser(user)
    },

    async enterCode(cookie: string, { code, kind }: EnteredCode): Promise<NewSession | null> {
      const options = { body: { code }, ...inBrowser(withoutSession(cookie)) }
      const done = await attempt(() =>
        kind === 'totp' ? auth.api.verifyTOTP(options) : auth.api.verifyBackupCode(options),
      )
      const { token, user } = done?.response ?? {}
      return done && token && user ? { user: toUser(user), token, cookies: done.cookies } : null
    },

    async startSession(userId: string, organizationId: string): Promise<NewSession | null> {
      const body = { userId, organizationId }
      const { headers, response } = await store.withDatabaseErrors(() =>
        auth.api.startSession({ body, headers: new Headers(), returnHeaders: true }),
      )
      return response && { user: toUser(response.user), token: response.token, cookies: headers.getSetCookie() }
    },

    async startSecondFactor(cookie: string, password: string): Promise<SecondFactorStart | null> {
      const done = await attempt(() => auth.api.enableTwoFactor({ body: { password }, ...inBrowser(cookie) }))
      if (!done || !('totpURI' in done.response)) return null
      const { totpURI: uri, backupCodes: recoveryCodes } = done.response
      return { uri, recoveryCodes }
    },

    /** The session is replaced: the result is its cookies. */
    async confirmSecondFactor(cookie: string, code: string): Promise<string[] | null> {
      const done = await attempt(() => auth.api.verifyTOTP({ body: { code }, ...inBrowser(cookie) }))
      return done?.cookies ?? null
    },

    async renewRecoveryCodes(cookie: string, password: string): Promise<string[] | null> {
      const done = await attempt(() => auth.api.generateBackupCodes({ body: { password }, ...inBrowser(cookie) }))
      return done?.response.backupCodes ?? null
    },

    async endSecondFactor(cookie: string, password: string): Promise<string[] | null> {
      const done = await attempt(() => auth.api.disableTwoFactor({ body: { password }, ...inBrowser(cookie) }))
      return done?.cookies ?? null
    },

    async session(cookie: string): Promise<{ found: FoundSession | null; cookies: string[] }> {
      const { headers, response } = await store.withDatabaseErrors(() => auth.api.getSession(inBrowser(cookie)))
      const found = response && {
        id: response.session.id,
        user: toUser(response.user),
        lastSeenAt: response.session.lastSeenAt ?? null,
        createdAt: response.session.createdAt,
        organizationId: response.session.organizationId ?? null,
      }
      return { found, cookies: headers.getSetCookie() }
    },

    async signOut(cookie: string): Promise<string[]> {
      const { headers } = await store.withDatabaseErrors(() => auth.api.signOut(inBrowser(cookie)))
      return headers.getSetCookie()
    },
  }
}

export type LibraryDependencies = { database: Pick<Database, 'execute'>; secretsKeys: SecretsKeys; appUrl: string }

export type Library = ReturnType<typeof createLibrary>

/** The cookies let the browser use it. */
export type NewSession = { user: User; token: string; cookies: string[] }

/** The password was right, and a code is needed. The cookies let the browser enter it. */
export type Challenge = { challenge: string[] }

/** A code of the authenticator app, or a recovery code. */
export type EnteredCode = { code: string; kind: 'totp' | 'recovery' }

export type SecondFactorStart = { uri: string; recoveryCodes: string[] }

type FoundSession = {
  id: string
  user: User
  createdAt: Date
  lastSeenAt: Date | null
  /** Set if it came by single sign-on: it is good for this organization only. */
  organizationId: string | null
}

export type User = { id: string; email: string; name: string; secondFactor: boolean }

// 401 and 400: what was entered is wrong. 409: another request used the same recovery code.
const rejections: ReadonlySet<string> = new Set(['UNAUTHORIZED', 'BAD_REQUEST', 'CONFLICT'])

function toUser(user: {
  id: string
  email: string
  name: string
  twoFactorEnabled?: boolean | null | undefined
}): User {
  return { id: user.id, email: user.email, name: user.name, secondFactor: user.twoFactorEnabled === true }
}

/** A code completes the sign-in that waits for it, not the session of whoever else uses this browser. */
function withoutSession(cookie: string): string {
  return cookie
    .split(/;\s*/)
    .filter((pair) => !/^[^=]*\.session_token=/.test(pair))
    .join('; ')
}
