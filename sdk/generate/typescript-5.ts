/**
 * For generators that are installed beside the project's own TypeScript, whose new compiler has no interface for
 * programs yet: whatever asks for `typescript` gets the one that this folder depends on.
 */
import { registerHooks } from 'node:module'

const url = import.meta.resolve('typescript')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
})
