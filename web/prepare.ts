/** Runs after `npm install`: builds the page if the build tools are installed. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const vite = await import('vite').catch(nullIfMissing)
if (vite) await vite.build({ root: import.meta.dirname })
else process.stdout.write(`vite (a dev dependency) is not installed. ${pageStatus()}\n`)

function nullIfMissing(error: Error & { code?: string }): null {
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'vite'")) return null
  throw error
}

function pageStatus(): string {
  return existsSync(join(import.meta.dirname, 'dist', 'index.html'))
    ? 'Keeping the settings page from the last build.'
    : 'The settings page is not built. Copy web/dist from another build; until then /settings and /docs return 503.'
}
