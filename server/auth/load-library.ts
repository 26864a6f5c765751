import { setImmediate } from 'node:timers/promises'

type Part = () => Promise<unknown>

// Each brings a part of what the next ones need.
const partsOfProtocol: Part[] = [
  () => import('zod/v4/core'),
  () => import('zod'),
  () => import('jose'),
  () => import('better-auth/crypto'),
  () => import('better-auth/db'),
  () => import('better-auth/cookies'),
  () => import('better-auth/oauth2'),
]
const partsOfLibrary: Part[] = [
  ...partsOfProtocol,
  () => import('better-auth/social-providers'),
  () => import('better-auth/api'),
  () => import('better-auth/minimal'),
  () => import('better-auth/plugins/two-factor'),
]

/** Passwords, codes and sessions. Loaded on first use: most processes never see a sign-in. */
export const loadLibrary = onFirstUse(partsOfLibrary, () => import('./library.ts'))

/** OpenID Connect. */
export const loadProtocol = onFirstUse(partsOfProtocol, () => import('./oidc.ts'))

/**
 * Part by part, because anyone can cause the first use, and loading 350 modules in one go holds up every other request for
 * 150 to 350 ms.
 */
function onFirstUse<Module>(parts: Part[], load: () => Promise<Module>): () => Promise<Module> {
  let loading: Promise<Module> | null = null
  async function loadInParts(): Promise<Module> {
    for (const loadPart of parts) {
      await loadPart()
      await setImmediate()
    }
    return load()
  }
  return () => {
    loading ??= loadInParts().catch((error) => {
      loading = null
      throw error
    })
    return loading
  }
}
