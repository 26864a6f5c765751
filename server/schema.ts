import type { FastifyTypeProvider } from 'fastify'

/**
 * Builds JSON schemas that know the type of the values they accept. The names and the results are those of TypeBox, of
 * which we need this much: loading all of it would be an eighth of a start and 20 MB.
 */

declare const valueType: unique symbol
const optional = Symbol('optional')

export type Schema<Value = unknown> = { readonly [keyword: string]: unknown; readonly [valueType]?: Value }
type OptionalSchema<Value = unknown> = Schema<Value> & { readonly [optional]: true }

/** The type of the values that a schema accepts. */
export type Static<S> = S extends Schema<infer Value> ? Value : never

/** For Fastify's `withTypeProvider`. */
export interface SchemaTypeProvider extends FastifyTypeProvider {
  validator: Static<this['schema']>
  serializer: Static<this['schema']>
}

type Annotations = { description?: string; title?: string; examples?: readonly unknown[]; default?: unknown }
export type StringOptions = Annotations & {
  minLength?: number
  maxLength?: number
  pattern?: string
  format?: string
  contentEncoding?: string
  contentMediaType?: string
}
export type ArrayOptions = Annotations & { minItems?: number; maxItems?: number; uniqueItems?: boolean }
type NumberOptions = Annotations & { minimum?: number; maximum?: number }
type ObjectOptions = Annotations & { additionalProperties?: boolean | Schema; minProperties?: number }

type Properties = Readonly<Record<string, Schema>>
type OptionalKeys<P extends Properties> = { [K in keyof P]: P[K] extends OptionalSchema ? K : never }[keyof P]
type ObjectOf<P extends Properties> = Flat<
  { [K in Exclude<keyof P, OptionalKeys<P>>]: Static<P[K]> } & { [K in OptionalKeys<P>]?: Static<P[K]> }
>
type ObjectSchema<P extends Properties> = Schema<ObjectOf<P>> & { readonly properties: P }
type Flat<T> = { [K in keyof T]: T[K] }

export const Type = {
  String: (options: StringOptions = {}): Schema<string> => ({ type: 'string', ...options }),
  Number: (options: NumberOptions = {}): Schema<number> => ({ type: 'number', ...options }),
  Integer: (options: NumberOptions = {}): Schema<number> => ({ type: 'integer', ...options }),
  Boolean: (options: Annotations = {}): Schema<boolean> => ({ type: 'boolean', ...options }),
  Null: (): Schema<null> => ({ type: 'null' }),

  Literal: <const Value extends string>(value: Value): Schema<Value> => ({ type: 'string', const: value }),

  Enum: <const Values extends readonly string[]>(
    values: Values,
    options: Annotations = {},
  ): Schema<Values[number]> => ({
    enum: values,
    ...options,
  }),

  Array: <S extends Schema>(items: S, options: ArrayOptions = {}): Schema<Static<S>[]> => ({
    type: 'array',
    items,
    ...options,
  }),

  Union: <const Schemas extends readonly Schema[]>(
    anyOf: Schemas,
    options: Annotations = {},
  ): Schema<Static<Schemas[number]>> => ({ anyOf, ...options }),

  Record: <S extends Schema>(_keys: Schema<string>, values: S): Schema<Record<string, Static<S>>> => ({
    type: 'object',
    patternProperties: { '^.*$': values },
  }),

  Object<P extends Properties>(properties: P, options: ObjectOptions = {}): ObjectSchema<P> {
    const required = Object.keys(properties).filter((name) => !(optional in (properties[name] ?? {})))
    return { type: 'object', ...(required.length > 0 && { required }), properties, ...options }
  },

  /** A property that may be left out. */
  Optional: <Value>(schema: Schema<Value>): OptionalSchema<Value> => ({ ...schema, [optional]: true }),

  /** Any other schema, whose type the caller knows. */
  Unsafe: <Value>(schema: Readonly<Record<string, unknown>>): Schema<Value> => schema,
}
