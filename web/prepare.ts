/** After an installation: builds the page, where what builds it was installed too. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

const vite = await import('vite').catch(unlessMissing)
if (vite) await vite.build({ root: import.meta.dirname })
else process.stdout.write(`vite, a dev dependency, is not installed: ${whatOfThePage()}\n`)

function unlessMissing(error: Error & { code?: string }): null {
  if (error.code === 'ERR_MODULE_NOT_FOUND' && error.message.includes("'vite'")) return null
  throw error
}

function whatOfThePage(): string {
  return existsSync(join(import.meta.dirname, 'dist', 'index.html'))
    ? 'the settings page stays as it was built before.'
    : 'the settings page is not built. Copy web/dist from where it was; until then /settings answers 503.'
}
