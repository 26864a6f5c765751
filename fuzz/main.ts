/** `npm run fuzz` sends requests to every route; `npm run fuzz -- raw` opens connections that send anything. */
const [mode, ...rest] = process.argv.slice(2)
if (mode === 'raw') {
  process.argv.splice(2, process.argv.length, ...rest)
  await import('./raw/main.ts')
} else await import('./requests-main.ts')
