import type { FastifyInstance, FastifyRequest } from 'fastify'
import { Refusal } from './errors.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** A catch-all route that only responds with an error. */
    catchesAll?: boolean
  }
  interface FastifyRequest {
    /** The path of a request whose method it doesn't have. */
    pathOfOtherMethods: string | null
  }
  interface FastifyInstance {
    /** The error for a request that matches no route of this plugin: 405 if its path has other methods, else 404. */
    unknownRoute(request: FastifyRequest): Refusal
  }
}

/**
 * Remembers the methods of each path. Registering a 405 route for every other method would also work, but a thousand
 * extra routes take a fifth of the startup time.
 */
export function rememberMethods(app: FastifyInstance): void {
  const paths = new Map<string, { pattern: RegExp; methods: Set<string> }>()
  app.decorateRequest('pathOfOtherMethods', null)
  app.addHook('onRoute', ({ url, method, config }) => {
    if (config?.catchesAll) return
    const path = paths.get(url) ?? { pattern: patternOf(url), methods: new Set() }
    for (const one of [method].flat()) path.methods.add(one)
    paths.set(url, path)
  })
  app.decorate('unknownRoute', function unknownRoute(request) {
    const path = pathOf(request)
    const own = [...paths].filter(([url, { pattern }]) => url.startsWith(this.prefix) && pattern.test(path))
    const [first] = own
    if (!first) return new Refusal('not_found')
    request.pathOfOtherMethods = first[0]
    const methods = new Set(own.flatMap(([, { methods }]) => [...methods]))
    return new Refusal('method_not_allowed', { headers: { allow: [...methods].join(', ') } })
  })
}

/** For logs and metrics: the URL can hold anything, such as an email address, and links to results work like passwords. */
export function routeOf({ routeOptions, pathOfOtherMethods }: FastifyRequest): string {
  return routeOptions.url ?? pathOfOtherMethods ?? 'unknown'
}

function patternOf(url: string): RegExp {
  const literal = url.replace(/\/$/, '').replace(/[.+?^${}()|[\]\\]/g, '\\$&')
  return new RegExp(`^${literal.replace(/:\w+/g, '[^/]+').replace('*', '.*')}/?$`)
}

function pathOf({ url }: FastifyRequest): string {
  const path = url.split(/[?#]/, 1)[0] ?? ''
  try {
    return decodeURI(path)
  } catch {
    return path
  }
}
