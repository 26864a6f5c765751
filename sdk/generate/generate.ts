/** Writes the SDK's types from the /openapi.json of a running service. */
import { writeFileSync } from 'node:fs'
import { typesOf } from './types.ts'

const address = process.argv[2] ?? 'http://127.0.0.1:3000/openapi.json'
const response = await fetch(address)
if (!response.ok) throw new Error(`${address} returned ${response.status}`)
const types = await typesOf(JSON.parse(await response.text()))
writeFileSync(new URL('../src/openapi.ts', import.meta.url), types)
