import scalar from '@scalar/fastify-api-reference'
import fastify from 'fastify'
import type { Plugin } from 'vite'

/** Copies the API reference script into the build. Its package has it only as text that it serves over HTTP. */
export function referenceScript(): Plugin {
  return {
    name: 'reference-script',
    async generateBundle() {
      const app = fastify()
      await app.register(scalar, { routePrefix: '/docs', configuration: { url: '/openapi.json' } })
      const { statusCode, body } = await app.inject('/docs/js/scalar.js')
      if (statusCode !== 200) throw new Error(`The Scalar package does not serve its script: HTTP ${statusCode}`)
      // The source map is not published, and browsers warn about a missing one.
      const script = body.replace(/\n\/\/# sourceMappingURL=\S+\s*$/, '\n')
      this.emitFile({ type: 'asset', fileName: 'reference/scalar.js', source: reworded(script) })
    },
  }
}

const rewordings = [
  // The placeholder of the API key is a joke in base64.
  ['QUxMIFlPVVIgQkFTRSBBUkUgQkVMT05HIFRPIFVT', 'service_live_…'],
  // Too long for its line: it covered the words before it.
  ['Selected Auth Type: {type}', '{type}'],
] as const

function reworded(script: string): string {
  return rewordings.reduce((text, [theirs, ours]) => {
    if (!text.includes(theirs)) throw new Error(`The Scalar package no longer says “${theirs}”`)
    return text.replaceAll(theirs, ours)
  }, script)
}
