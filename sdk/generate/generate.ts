/** Writes what is made from the /openapi.json of a running service: the SDK's types and the requests to try. */
import { writeFileSync } from 'node:fs'
import { filesFrom } from './files.ts'

const address = process.argv[2] ?? 'http://127.0.0.1:3000/openapi.json'
const response = await fetch(address)
if (!response.ok) throw new Error(`${address} answered ${response.status}`)
const files = await filesFrom(JSON.parse(await response.text()))
for (const [path, text] of Object.entries(files)) writeFileSync(new URL(`../../${path}`, import.meta.url), text)
