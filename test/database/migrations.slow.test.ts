import assert from 'node:assert/strict'
import { readdir, readFile } from 'node:fs/promises'
import { test } from 'node:test'
import sql from 'sql-template-tag'
import { readConfig } from '../../server/config.ts'
import { type Database, openPostgres } from '../../server/database/database.ts'
import { migrate } from '../../server/database/migrate.ts'
import { openStore } from '../../server/database/open-store.ts'
import { listResults } from '../../server/interviews/results.ts'
import { type Engine, engines } from '../../support/engines.ts'
import { sharedPostgres } from '../../support/postgres.ts'

const directory = new URL('../../server/database/migrations/', import.meta.url)

const candidateOfAcme = `
  insert into organizations (id, name, created_at) values ('org_1', 'Acme', now());
  insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
  values ('tpl_1', 'org_1', 'Engineer', 'Services.', false, now(), now());
  insert into candidates (id, organization_id, email_key) values ('cand_1', 'org_1', 'ada@example.com');`

for (const engine of engines) {
  test(`on ${engine.name}, final results from before 0011 are final, and precede every cursor`, async () => {
    await using database = await databaseBefore(engine, '0011')
    await database.script(`${candidateOfAcme}
      insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
        first_name, last_name, token, status, superseded, expires_at, created_at, updated_at)
      select 'int_' || n, 'inv_' || n, 'org_1', 'tpl_1', 'cand_1', 'ada@example.com', 'ada@example.com', 'Ada',
        'Lovelace', 'token' || n, 'COMPLETED', true, now(), now(), now() from generate_series(1, 3) n;
      insert into results (id, organization_id, interview_id, template_id, position, token, scoring, overall_score,
        completed_at, created_at)
      select 'res_' || n, 'org_1', 'int_' || n, 'tpl_1', nullif(n, 3), 'token' || n, '{}', 80, now() - n * interval '1 h',
        now() from generate_series(1, 3) n;
      insert into result_positions (organization_id, last) values ('org_1', 2)`)
    await migrate(database)
    const rows = await database.query(sql`select id, final, arrived::text from results order by id`)
    assert.deepEqual(rows, [
      { id: 'res_1', final: true, arrived: '3' },
      { id: 'res_2', final: true, arrived: '3' },
      { id: 'res_3', final: false, arrived: '3' },
    ])
    const page = await listResults(database, 'org_1', { limit: 10 }, { appUrl: '' })
    assert.ok(typeof page !== 'string')
    assert.deepEqual(
      page.data.map(({ resultId }) => resultId),
      ['res_2', 'res_1'],
    )
  })

  const spellings = [
    ['0015', 'are normalized', 'jos\u00e9@example.com', 'jose\u0301@example.com'],
    ['0035', 'have one form of sigma', '\u03b1\u03c3@example.com', '\u03b1\u03c2@example.com'],
    ['0037', 'have one form of each letter', '\u03bc\u1e61@example.com', '\u00b5\u1e9b@example.com'],
  ] as const
  for (const [migration, become, kept, replaced] of spellings) {
    test(`on ${engine.name}, email addresses from before ${migration} ${become}, unless both spellings exist`, async () => {
      await using database = await databaseBefore(engine, migration)
      await database.script(`
        insert into organizations (id, name, created_at) values ('org_1', 'Acme', now()), ('org_2', 'Beta', now());
        insert into templates (id, organization_id, title, description, whiteboard_enabled, created_at, updated_at)
        select 'tpl_' || n, 'org_' || n, 'Engineer', 'Services.', false, now(), now() from generate_series(1, 2) n;
        insert into candidates (id, organization_id, email_key) values
          ('cand_1', 'org_1', '${replaced}'), ('cand_2', 'org_2', '${replaced}'), ('cand_3', 'org_2', '${kept}');
        insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
          first_name, last_name, token, status, superseded, expires_at, created_at, updated_at)
        select 'int_' || right(id, 1), 'inv_' || right(id, 1), organization_id, 'tpl_' || right(organization_id, 1), id,
          email_key, email_key, 'José', '', 'token' || id, 'SCHEDULED', false, now(), now(), now() from candidates`)
      await migrate(database)
      for (const table of ['candidates', 'interviews']) {
        const { rows } = await database.execute<{ key: string }>(
          `select email_key as key from ${table} order by id`,
          [],
        )
        assert.deepEqual(
          rows.map(({ key }) => key),
          [kept, replaced, kept],
        )
      }
    })
  }

  test(`on ${engine.name}, deliveries from before 0007 get the ID of their interview`, async () => {
    await using database = await databaseBefore(engine, '0007')
    await database.script(`${candidateOfAcme}
      insert into interviews (id, invitation_id, organization_id, template_id, candidate_id, email, email_key,
        first_name, last_name, token, status, expires_at, created_at, updated_at)
      values ('int_1', 'inv_1', 'org_1', 'tpl_1', 'cand_1', 'ada@example.com', 'ada@example.com', 'Ada', 'Lovelace',
        'token', 'COMPLETED', now(), now(), now());
      insert into results (id, organization_id, interview_id, template_id, token, scoring, overall_score, completed_at,
        created_at)
      values ('res_1', 'org_1', 'int_1', 'tpl_1', 'token', '{}', 80, now(), now());
      insert into deliveries (id, organization_id, result_id, status, created_at, updated_at)
      values ('dlv_1', 'org_1', 'res_1', 'PENDING', now(), now())`)
    await migrate(database)
    assert.deepEqual(await database.query(sql`select id, interview_id from deliveries`), [
      { id: 'dlv_1', interview_id: 'int_1' },
    ])
  })

  test(`on ${engine.name}, a sign-in from before it was kept by organization is only kept where it says nothing about others`, async () => {
    await using database = await databaseBefore(engine, '0032')
    await database.script(`
      insert into organizations (id, name, created_at) values ('org_1', 'Acme', now()), ('org_2', 'Beta', now());
      insert into users (id, name, email, created_at, updated_at, last_sign_in_at)
      select 'usr_' || n, 'Ada', n || '@example.com', now(), now(), '2026-03-01T12:00Z' from generate_series(1, 2) n;
      insert into members (organization_id, user_id, role, created_at) values
        ('org_1', 'usr_1', 'admin', now()), ('org_1', 'usr_2', 'admin', now()), ('org_2', 'usr_2', 'admin', now())`)
    await migrate(database)
    const rows = await database.query(sql`
      select user_id as id, last_sign_in_at as at from members order by user_id, organization_id`)
    assert.deepEqual(rows, [
      { id: 'usr_1', at: '2026-03-01T12:00:00.000Z' },
      { id: 'usr_2', at: null },
      { id: 'usr_2', at: null },
    ])
  })

  test(`on ${engine.name}, an endpoint that was failing before alerts were stored has not been told about`, async () => {
    await using database = await databaseBefore(engine, '0032')
    await database.script(`
      insert into organizations (id, name, created_at) values ('org_1', 'Acme', now()), ('org_2', 'Beta', now());
      insert into webhook_endpoints (organization_id, url, enabled, sealed_secret, created_at, updated_at)
      select id, 'https://hooks.example.com:8443/hook?token=x', true, '', '2026-03-01', '2026-03-01' from organizations;
      insert into endpoint_states (organization_id, failing_since, last_failure_at, last_error, failures, recovered_at,
        told_again_at)
      values ('org_1', '2026-03-02', '2026-03-02', 'TIMEOUT', 1, null, '2026-03-02T01:00Z'),
        ('org_2', null, '2026-03-02', 'TIMEOUT', 1, '2026-03-03', null)`)
    await migrate(database)
    const rows = await database.query(sql`
      select alerted_at as at, alerted_host as host, told_again_at as again from endpoint_states`)
    const nobody = { at: null, host: null, again: null }
    assert.deepEqual(rows, [nobody, nobody])
  })
}

test('migrations at startup have no time limit, whatever the server or the database sets', async () => {
  const server = await sharedPostgres()
  const url = await server.createDatabase()
  const database = openPostgres({ url, connections: 1 })
  try {
    // Each migration records its name when it ends. A trigger records the limits in force at that moment.
    await database.script(`
      alter database ${new URL(url).pathname.slice(1)} set statement_timeout = '10s';
      create table schema_migrations (name text primary key, applied_at timestamptz not null default now());
      create table noted (time_limit text not null, asked_for text not null);
      create function note() returns trigger language plpgsql as $$ begin
        insert into noted select setting, reset_val from pg_settings where name = 'statement_timeout';
        return null;
      end $$;
      create trigger note after insert on schema_migrations for each row execute function note()`)
    const configuration = readConfig('command', { DATABASE_URL: url })
    assert.ok(configuration.ok)
    const store = await openStore(configuration.config)
    await store.close()
    const noted = await database.query(
      sql`select distinct time_limit as "timeLimit", asked_for as "askedFor" from noted`,
    )
    // The connection sets no limit, which pg would enforce as well; it has the database's.
    assert.deepEqual(noted, [{ timeLimit: '0', askedFor: '10000' }])
  } finally {
    await database.close()
  }
})

/** A database as it was before this migration. */
async function databaseBefore(engine: Engine, migration: string): Promise<Database & AsyncDisposable> {
  const database = await engine.openEmpty()
  await database.script('create table schema_migrations (name text primary key, applied_at timestamptz default now())')
  const names = (await readdir(directory)).sort()
  for (const name of names.filter((name) => name < migration)) {
    await database.script(await readFile(new URL(name, directory), 'utf8'))
    await database.query(sql`insert into schema_migrations (name) values (${name})`)
  }
  return { ...database, [Symbol.asyncDispose]: database.close }
}
