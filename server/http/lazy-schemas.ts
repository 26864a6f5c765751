import { createRequire } from 'node:module'
import { setImmediate } from 'node:timers/promises'
import type { FastifyInstance, FastifySchemaCompiler } from 'fastify'
import { nullIsAbsent } from './input.ts'
import { formats } from './validation.ts'

type Validator = ReturnType<FastifySchemaCompiler<unknown>>
type Serializer = (data: unknown) => string

const require = createRequire(import.meta.url)

/** For Fastify's option `schemaController`, which would load its own compilers at startup. */
export const compilersFactory = {
  buildValidator: () => () => rejectEarlyUse(),
  buildSerializer: () => () => rejectEarlyUse(),
}

function rejectEarlyUse(): never {
  throw new Error('Call compileSchemasLazily before adding a route with a schema.')
}

declare module 'fastify' {
  interface FastifyInstance {
    /** Loads the compilers in steps. A first request that had to load them would hold up all others. */
    loadCompilers(): Promise<void>
  }
}

/**
 * Compiles a route's schemas on its first request with Fastify's own compilers, which are loaded after the start. Doing
 * either during the start would make it a third slower.
 */
export function compileSchemasLazily(app: FastifyInstance): void {
  const compileValidator = lazily(createValidatorCompiler)
  const compileSerializer = lazily(createSerializerCompiler)
  app.setValidatorCompiler<unknown>((route) => {
    const compiled = lazily((): Validator => compileValidator()(route))
    const validate: Validator = (data) => {
      const validateNow = compiled()
      const valid = validateNow(data)
      validate.errors = validateNow.errors ?? null
      return valid
    }
    return validate
  })
  app.setSerializerCompiler<unknown>((route) => {
    const compiled = lazily((): Serializer => compileSerializer()({ httpStatus: 'default', ...route }))
    return (data) => compiled()(data)
  })
  app.decorate('loadCompilers', async () => {
    await setImmediate()
    compileValidator()
    await setImmediate()
    compileSerializer()
  })
}

function createValidatorCompiler() {
  const { AjvCompiler }: typeof import('@fastify/ajv-compiler') = require('@fastify/ajv-compiler')
  return AjvCompiler()(
    {},
    {
      customOptions: {
        allErrors: true,
        coerceTypes: false,
        removeAdditional: false,
        verbose: true,
        strictTypes: false,
      },
      onCreate(ajv) {
        for (const [name, check] of Object.entries(formats)) ajv.addFormat(name, check)
        ajv.addKeyword(nullIsAbsent)
      },
    },
  )
}

function createSerializerCompiler() {
  const {
    SerializerSelector,
  }: typeof import('@fastify/fast-json-stringify-compiler') = require('@fastify/fast-json-stringify-compiler')
  return SerializerSelector()({}, {})
}

function lazily<Value>(create: () => Value): () => Value {
  let value: Value | undefined
  return () => {
    value ??= create()
    return value
  }
}
