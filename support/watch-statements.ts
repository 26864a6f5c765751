import type { Database, Queryable, Statement } from '../server/database/database.ts'

/** Calls `watch` before every statement, in transactions too. If `watch` throws, the statement doesn't run. */
export function watchStatements(database: Database, watch: (statement: Statement) => void): Database {
  const watched = <To extends Queryable>(to: To): To => ({
    ...to,
    async query(statement, use) {
      watch(statement)
      return to.query(statement, use)
    },
  })
  return {
    ...database,
    ...watched(database),
    transaction: (work) => database.transaction((inside) => work(watched(inside))),
  }
}
