/**
 * Loaded into every server before its own code. Shifts its clock by the milliseconds that are currently in a file, and
 * makes it use our name server.
 */
import names from 'node:dns/promises'
import { readFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const { FAULTS_CLOCK: file = '', FAULTS_NAME_SERVER: nameServer = '' } = process.env

const RealDate = Date
let offset = read()
setInterval(() => {
  offset = read()
}, 100).unref()

const now = () => RealDate.now() + offset
globalThis.Date = new Proxy(RealDate, {
  construct: (target, args, newTarget) => Reflect.construct(target, args.length === 0 ? [now()] : args, newTarget),
  get: (target, name) => (name === 'now' ? now : Reflect.get(target, name)),
})

const { Resolver } = names
Object.assign(names, {
  Resolver: class extends Resolver {
    constructor(options?: ConstructorParameters<typeof Resolver>[0]) {
      super(options)
      this.setServers([nameServer])
    }
  },
})
syncBuiltinESMExports()

function read(): number {
  try {
    return Number(readFileSync(file, 'utf8'))
  } catch {
    return 0
  }
}
