import type { Database, Queryable, Statement } from '../../server/database/database.ts'

/** The same database; `watch` is told of every statement before it runs, in transactions too, and may throw instead. */
export function watchStatements(database: Database, watch: (statement: Statement) => void): Database {
  const watched = <To extends Queryable>(to: To): To => ({
    ...to,
    async query(statement) {
      watch(statement)
      return to.query(statement)
    },
  })
  return {
    ...database,
    ...watched(database),
    transaction: (work) => database.transaction((inside) => work(watched(inside))),
  }
}
