export type SessionSettings = Readonly<Record<string, string>>

// All our lookups use an index. A plan made while the tables were nearly empty would scan them sequentially, and a
// connection caches it: on PostgreSQL until the next analyze, within a minute; on the embedded database, which is never
// analyzed, forever. Before PostgreSQL 18, a plan that goes against enable_seqscan gets such a high cost that it is
// JIT-compiled. Statements for a batch are planned once, not for each length of the batch: planning the check of a key
// takes four times as long as running it. Parallel workers take longer to start than they save, and one organization's
// statement must not take every CPU.
const plannerSettings = {
  enable_seqscan: 'off',
  jit: 'off',
  plan_cache_mode: 'force_generic_plan',
  max_parallel_workers_per_gather: '0',
}

// PostgreSQL's own defaults, which an administrator may have changed for the role, the database or the server. Another
// format of times and fewer digits would reach partners, and under stricter isolation concurrent requests would fail.
const expectedDefaults = {
  DateStyle: 'ISO',
  extra_float_digits: '1',
  default_transaction_isolation: 'read committed',
  lock_timeout: '0',
}

/** Without a limit, for migrations of large tables and for the embedded database. */
export const unlimitedSession: SessionSettings = { ...plannerSettings, ...expectedDefaults }

/** What every other session must have. A pooler that shares sessions needs them as settings of the role. */
export const sessionSettings: SessionSettings = { ...unlimitedSession, statement_timeout: '30000' }
