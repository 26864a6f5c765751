import { setImmediate } from 'node:timers/promises'

// Each brings a part of what the next ones need.
const parts = [
  () => import('zod/v4/core'),
  () => import('zod'),
  () => import('jose'),
  () => import('better-auth/crypto'),
  () => import('better-auth/db'),
  () => import('better-auth/cookies'),
  () => import('better-auth/oauth2'),
  () => import('better-auth/social-providers'),
  () => import('better-auth/api'),
  () => import('better-auth/minimal'),
  () => import('better-auth/plugins/two-factor'),
]

/**
 * Loads better-auth on first use. Part by part, because anyone can cause the first use, and loading 350 modules in one go
 * holds up every other request for 150 to 350 ms.
 */
export async function loadLibrary(): Promise<typeof import('./library.ts')> {
  for (const loadPart of parts) {
    await loadPart()
    await setImmediate()
  }
  return import('./library.ts')
}
