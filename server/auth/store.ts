import { AsyncLocalStorage } from 'node:async_hooks'
import { type CleanedWhere, createAdapterFactory, type JoinConfig } from 'better-auth/adapters'
import type { Database } from '../database/database.ts'

/**
 * The sign-in library's adapter to our tables. It uses no transactions, because the library would wait for the embedded
 * database's only connection while holding it.
 */
export function createSignInStore(database: Pick<Database, 'execute'>) {
  const failures = new AsyncLocalStorage<{ error?: unknown }>()

  async function rows<Row>(text: string, values: unknown[]): Promise<Row[]> {
    try {
      return (await database.execute<Row>(text, values)).rows
    } catch (error) {
      const call = failures.getStore()
      if (call) call.error = error
      throw error
    }
  }

  async function count(text: string, values: unknown[]): Promise<number> {
    const [row] = await rows<{ count: number }>(`with done as (${text}) select count(*) as count from done`, values)
    return row?.count ?? 0
  }

  return {
    adapter: createAdapterFactory({
      // Times come from our database as text.
      config: { adapterId: 'partner-interview-api', supportsDates: false, transaction: false },
      adapter: ({ getFieldName }) => ({
        async create({ model, data }) {
          const names = Object.keys(data)
          const placeholders = names.map((_, index) => `$${index + 1}`)
          const text = `insert into ${name(model)} (${names.map(name)}) values (${placeholders}) returning *`
          const [row] = await rows<typeof data>(text, Object.values(data))
          if (!row) throw new Error('The row was not stored')
          return row
        },
        async findOne<Row>({ model, where, join }: Selection & { join?: JoinConfig | undefined }) {
          const found = conditions(where)
          const text = `select t.*${joined(join)} from ${name(model)} t ${found.text} limit 1`
          const [row] = await rows<Row>(text, found.values)
          return row ?? null
        },
        async findMany<Row>({
          model,
          where,
          limit,
          sortBy,
        }: {
          model: string
          where?: CleanedWhere[] | undefined
          limit: number
          sortBy?: { field: string; direction: 'asc' | 'desc' } | undefined
        }) {
          const found = conditions(where)
          const column = sortBy && name(getFieldName({ model, field: sortBy.field }))
          const order = column ? `order by ${column} ${sortBy.direction === 'desc' ? 'desc' : 'asc'}` : ''
          const text = `select * from ${name(model)} ${found.text} ${order} limit ${Number(limit)}`
          return rows<Row>(text, found.values)
        },
        async update<Row>({ model, where, update }: Selection & { update: Row }) {
          const change = changes(update)
          const found = conditions(where, change.values)
          const text = `update ${name(model)} set ${change.text} ${found.text} returning *`
          const [row] = await rows<Row>(text, found.values)
          return row ?? null
        },
        async updateMany({ model, where, update }) {
          const change = changes(update)
          const found = conditions(where, change.values)
          return count(`update ${name(model)} set ${change.text} ${found.text} returning 1`, found.values)
        },
        async delete({ model, where }) {
          const found = conditions(where)
          await rows(`delete from ${name(model)} ${found.text}`, found.values)
        },
        async consumeOne<Row>({ model, where }: Selection) {
          const found = conditions(where)
          const [row] = await rows<Row>(`delete from ${name(model)} ${found.text} returning *`, found.values)
          return row ?? null
        },
        async incrementOne<Row>({
          model,
          where,
          increment,
          set,
        }: Selection & { increment: Record<string, number>; set?: Record<string, unknown> | undefined }) {
          const change = changes(set)
          const steps = Object.entries(increment).map(
            ([field, step]) => `${name(field)} = coalesce(${name(field)}, 0) + ${Number(step)}`,
          )
          const found = conditions(where, change.values)
          const assigned = [...(change.text === '' ? [] : [change.text]), ...steps].join(', ')
          const [row] = await rows<Row>(`update ${name(model)} set ${assigned} ${found.text} returning *`, found.values)
          return row ?? null
        },
        async deleteMany({ model, where }) {
          const found = conditions(where)
          return count(`delete from ${name(model)} ${found.text} returning 1`, found.values)
        },
        async count({ model, where }) {
          const found = conditions(where)
          return count(`select 1 from ${name(model)} ${found.text}`, found.values)
        },
      }),
    }),

    /** The library hides or rewrites database errors. This throws the original one. */
    async withDatabaseErrors<Result>(work: () => Promise<Result>): Promise<Result> {
      const call: { error?: unknown } = {}
      try {
        const result = await failures.run(call, work)
        if (call.error !== undefined) throw call.error
        return result
      } catch (error) {
        throw call.error ?? error
      }
    },
  }
}

type Selection = { model: string; where: CleanedWhere[] }

const operators: Record<string, string> = {
  eq: '=',
  ne: '<>',
  lt: '<',
  lte: '<=',
  gt: '>',
  gte: '>=',
}

function conditions(where: CleanedWhere[] = [], before: unknown[] = []): { text: string; values: unknown[] } {
  const values = [...before]
  const tests = where.map(({ field, value, operator, connector }) => {
    const symbol = operators[operator ?? 'eq']
    // The library needs no more than this today. A version that does must not get the wrong rows.
    if (connector !== 'AND' || symbol === undefined || value === null)
      throw new Error(`Unsupported operator: ${operator}`)
    values.push(value)
    return `${name(field)} ${symbol} $${values.length}`
  })
  return { text: tests.length === 0 ? '' : `where ${tests.join(' and ')}`, values }
}

/** Selects related rows in the same statement, such as a session's user. */
function joined(join: JoinConfig = {}): string {
  const parts = Object.entries(join).map(([model, { on, relation, limit = 100 }]) => {
    const theirs = `select * from ${name(model)} where ${name(on.to)} = t.${name(on.from)} limit ${Number(limit)}`
    const value = relation === 'one-to-one' ? 'to_jsonb(j)' : "coalesce(jsonb_agg(j), '[]')"
    return `, (select ${value} from (${theirs}) j) as ${name(model)}`
  })
  return parts.join('')
}

function changes(update: unknown): { text: string; values: unknown[] } {
  const entries = Object.entries(update ?? {})
  return {
    text: entries.map(([field], index) => `${name(field)} = $${index + 1}`).join(', '),
    values: entries.map(([, value]) => value),
  }
}

/** Names come from the library's configuration, never from a caller. */
function name(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}
