import type { FastifyInstance } from 'fastify'
import { Refusal } from './errors.ts'

/** Makes the routes that `routes` declares, and answers every other method on their paths with 405 and what is allowed. */
export function refuseOtherMethods(app: FastifyInstance, routes: () => void): void {
  const allowed = new Map<string, Set<string>>()
  let declaring = true
  app.addHook('onRoute', ({ url, path, prefix, method }) => {
    if (!declaring) return
    const own = (url ?? path).slice(prefix.length)
    const methods = allowed.get(own) ?? new Set()
    for (const one of [method].flat()) methods.add(one)
    allowed.set(own, methods)
  })
  routes()
  declaring = false

  for (const [url, methods] of allowed) {
    const refuse = async () => {
      throw new Refusal('method_not_allowed', { headers: { allow: [...methods].join(', ') } })
    }
    app.route({
      url,
      method: app.supportedMethods.filter((method) => !methods.has(method)),
      schema: { hide: true },
      onRequest: refuse,
      handler: refuse,
    })
  }
}
