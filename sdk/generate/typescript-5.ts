/**
 * The project's own TypeScript has no API for programs yet. Generators that ask for `typescript` get the version that
 * this folder depends on.
 */
import { registerHooks } from 'node:module'

const url = import.meta.resolve('typescript')

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript' ? { url, format: 'commonjs', shortCircuit: true } : next(specifier, context),
})
