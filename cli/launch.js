#!/usr/bin/env node
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const path = (relative) => fileURLToPath(new URL(relative, import.meta.url))

if (process.features.typescript) {
  await import('./main.ts')
} else {
  // This machine's Node is too old to run TypeScript. The one that npm ci installed isn't.
  const args = [path('main.ts'), ...process.argv.slice(2)]
  const { status, error } = spawnSync(path('../node_modules/.bin/node'), args, { stdio: 'inherit' })
  if (error) throw error
  process.exitCode = status ?? 1
}
