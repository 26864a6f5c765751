import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, posix } from 'node:path'
import { describe, test } from 'node:test'

type Source = { path: string; text: string }

/** `to` is a path from the project's root for a file of ours, otherwise the name of the module. `names` are the values it takes. */
type Import = { from: string; to: string; ours: boolean; names: string[] }

type Rule = {
  name: string
  /** What breaks the rule, in words. */
  faults(sources: Source[], imports: Import[]): string[]
  /** Breaches, each of one file or more: a rule that nothing can break guards nothing. */
  broken: Source[][]
}

/** From the top down: a file imports from its own layer and from those below it. */
const layers: [name: string, files: RegExp][] = [
  ['programs', /^(server|cli)\/main\.ts$/],
  ['commands and operations', /^cli\/|^server\/operations\//],
  ['services', /^server\/services\.ts$/],
  ['http, worker and sweep', /^server\/(http\/|config\.ts$|deliveries\/(worker|sweep)\.ts$)/],
  ['workflows', /^server\/workflows\//],
  [
    'domain modules',
    /^server\/(organizations|interviews|images|endpoints|deliveries|queue|outbound|notifications|auth)\//,
  ],
  ['database', /^server\/database\//],
]

/** Which files write which tables. */
const owners: [files: RegExp, tables: string[]][] = [
  [/^server\/database\/migrate\.ts$/, ['schema_migrations']],
  [
    /^server\/organizations\//,
    ['organizations', 'api_keys', 'rate_windows', 'activity', 'members', 'users', 'accounts', 'sessions'],
  ],
  [/^server\/auth\//, ['sign_in_attempts']],
  [/^server\/interviews\//, ['templates', 'candidates', 'interviews', 'results']],
  [/^server\/images\//, ['thumbnails']],
  [/^server\/endpoints\//, ['webhook_endpoints', 'check_windows', 'endpoint_states', 'endpoint_look']],
  // The state machine, and nothing beside it.
  [/^server\/deliveries\/transitions\.ts$/, ['deliveries', 'delivery_rounds']],
  [/^server\/deliveries\//, ['dead_letters', 'retry_runs', 'delivery_half_hours']],
  // A claim also records the attempt that a dead worker did not report, in the statement that counts the next receive.
  [/^server\/(deliveries\/|queue\/jobs\.ts$)/, ['delivery_attempts']],
  [/^server\/queue\//, ['delivery_jobs']],
  [/^server\/operations\/scheduler\.ts$/, ['turns']],
]

const outwards = /^server\/outbound\//
// The command line reaches the server of the same machine by a socket file.
const withinMachine = /^cli\/handover\.ts$/

// Modules that can open a socket, and what in them does not.
const network: Record<string, string[]> = {
  undici: [],
  'node:net': ['isIP', 'isIPv4', 'isIPv6', 'BlockList', 'SocketAddress', 'Server'],
  'node:http': ['METHODS', 'STATUS_CODES', 'createServer'],
  'node:https': [],
  'node:http2': [],
  'node:tls': [],
  'node:dgram': [],
  'node:dns': [],
  'node:dns/promises': [],
}

const rules: Rule[] = [
  {
    name: 'nothing but server/config.ts reads the environment',
    faults: (sources) =>
      sources
        .filter(({ path }) => isBackend(path) && path !== 'server/config.ts')
        .filter(({ text }) => /\bprocess\s*(\.\s*env\b|\[)|'(node:)?process'/.test(text))
        .map(({ path }) => `${path} reads the environment`),
    broken: [
      [{ path: 'server/operations/log.ts', text: 'const level = process.env.LOG_LEVEL' }],
      [{ path: 'cli/main.ts', text: "const level = process['env'].LOG_LEVEL" }],
      [{ path: 'server/operations/log.ts', text: "import { env } from 'node:process'" }],
    ],
  },
  only('nothing but server/database imports pg or PGlite', {
    modules: /^pg$|^@electric-sql\//,
    within: /^server\/database\//,
    broken: [
      [{ path: 'server/interviews/templates.ts', text: "import pg from 'pg'" }],
      [{ path: 'cli/main.ts', text: "import { PGlite } from '@electric-sql/pglite'" }],
      [{ path: 'server/http/app.ts', text: "import type { Pool } from 'pg'" }],
    ],
  }),
  only('nothing but server/queue imports a queue client', {
    modules: /^@aws-sdk\//,
    within: /^server\/queue\//,
    broken: [[{ path: 'server/deliveries/sweep.ts', text: "import { SQSClient } from '@aws-sdk/client-sqs'" }]],
  }),
  only('nothing but server/notifications sends mail', {
    modules: /^nodemailer\b/,
    within: /^server\/notifications\//,
    broken: [[{ path: 'server/endpoints/endpoint-health.ts', text: "import { createTransport } from 'nodemailer'" }]],
  }),
  only('nothing but server/auth imports the sign-in library', {
    modules: /^better-auth\b|^@better-auth\//,
    within: /^server\/auth\//,
    broken: [
      [{ path: 'server/http/settings/session.ts', text: "import { betterAuth } from 'better-auth'" }],
      [{ path: 'cli/member.ts', text: "const { hashPassword } = await import('better-auth/crypto')" }],
    ],
  }),
  only('nothing but server/operations/metrics counts', {
    modules: /^prom-client$/,
    within: /^server\/operations\/metrics\//,
    broken: [[{ path: 'server/http/app.ts', text: "import { Counter } from 'prom-client'" }]],
  }),
  only('nothing but server/operations/tracing imports the tracing library', {
    modules: /^@opentelemetry\//,
    within: /^server\/operations\/tracing\//,
    broken: [[{ path: 'server/workflows/complete-interview.ts', text: "import { trace } from '@opentelemetry/api'" }]],
  }),
  only('nothing but the start and server/operations/processes knows that there are several processes', {
    modules: /^(node:)?cluster$/,
    within: /^server\/(main\.ts|operations\/processes\/)/,
    broken: [[{ path: 'server/http/app.ts', text: "import cluster from 'node:cluster'" }]],
  }),
  {
    name: 'the tracing library is read only where traces are wanted',
    faults: (sources) =>
      sources
        .filter(
          ({ path, text }) => isBackend(path) && /^import\s+(?!type\b)[^']*'[^']*\/tracing\/tracing\.ts'/m.test(text),
        )
        .map(({ path }) => `${path} imports it outright`),
    broken: [
      [{ path: 'server/operations/observability.ts', text: "import { startTracing } from './tracing/tracing.ts'" }],
    ],
  },
  {
    name: 'nothing but server/outbound opens a socket outwards',
    faults: (sources, imports) => [
      ...imports
        .filter(({ from }) => isBackend(from) && !outwards.test(from) && !withinMachine.test(from))
        .filter(({ to, names }) => names.some((name) => network[withScheme(to)]?.includes(name) === false))
        .map(({ from, to, names }) => `${from} imports ${names.join(', ')} of ${to}`),
      ...sources
        .filter(({ path }) => isBackend(path) && !outwards.test(path))
        .filter(({ text }) => /(?<![.\w])(fetch\(|new (WebSocket|EventSource)\b)|globalThis\.fetch/.test(text))
        .map(({ path }) => `${path} uses fetch or a socket of the runtime`),
    ],
    broken: [
      [{ path: 'server/http/app.ts', text: "import { connect, isIP } from 'node:net'" }],
      [{ path: 'server/http/app.ts', text: "import { request } from 'node:http'" }],
      [{ path: 'server/deliveries/attempt.ts', text: "import { request } from 'undici'" }],
      [{ path: 'server/interviews/results.ts', text: "import * as tls from 'tls'" }],
      [{ path: 'cli/webhook.ts', text: "const { lookup } = await import('node:dns/promises')" }],
      [{ path: 'server/endpoints/endpoint.ts', text: 'await fetch(url)' }],
      [{ path: 'server/endpoints/endpoint.ts', text: 'new WebSocket(url)' }],
    ],
  },
  apart('interviews and organizations know nothing of deliveries, endpoints, the queue or http', {
    files: /^server\/(interviews|organizations)\//,
    from: /^server\/(deliveries|endpoints|queue|http)\//,
    broken: [
      [{ path: 'server/interviews/results.ts', text: "import { open } from '../deliveries/transitions.ts'" }],
      [{ path: 'server/organizations/api-keys.ts', text: "import type { Refusal } from '../http/errors.ts'" }],
      [{ path: 'server/interviews/results.ts', text: "export { enqueueJobs } from '../queue/jobs.ts'" }],
    ],
  }),
  {
    name: 'a file imports from its own layer and from those below it',
    faults: (sources, imports) => [
      ...sources
        .filter(({ path }) => isBackend(path) && layerOf(path) === -1)
        .map(({ path }) => `${path} belongs to no layer`),
      ...imports
        .filter(({ from, to, ours }) => ours && isBackend(from) && isBackend(to) && layerOf(to) < layerOf(from))
        .map(({ from, to }) => `${from} imports ${to}, from the layer of ${layers[layerOf(to)]?.[0]}`),
    ],
    broken: [
      [{ path: 'server/deliveries/attempt.ts', text: "import { errors } from '../http/errors.ts'" }],
      [{ path: 'server/deliveries/load.ts', text: "import type { WorkerLog } from './worker.ts'" }],
      [{ path: 'server/workflows/sandbox.ts', text: "import { sweep } from '../deliveries/sweep.ts'" }],
      [{ path: 'server/endpoints/endpoint.ts', text: "import { retryFailed } from '../workflows/administer.ts'" }],
      [{ path: 'server/http/app.ts', text: "import type { Services } from '../services.ts'" }],
      [{ path: 'server/images/semaphore.ts', text: "import type { Config } from '../config.ts'" }],
      [{ path: 'server/database/database.ts', text: "import { encodeCursor } from '../interviews/paging.ts'" }],
      [{ path: 'server/services.ts', text: "import { startMaintenance } from './operations/maintenance.ts'" }],
      [{ path: 'server/misc/helpers.ts', text: '' }],
    ],
  },
  {
    name: "one domain's tables are written by that domain alone",
    faults: (sources) =>
      sources.flatMap(({ path, text }) =>
        [...tablesWrittenIn(text)].filter((table) => !owns(path, table)).map((table) => `${path} writes ${table}`),
      ),
    broken: [
      [{ path: 'server/interviews/results.ts', text: 'sql`delete from thumbnails where interview_id = $1`' }],
      [{ path: 'server/deliveries/sweep.ts', text: "sql`update deliveries d set status = 'PENDING'`" }],
      [{ path: 'server/workflows/sandbox.ts', text: 'sql`\n  insert into\n    results (id) select id from stored`' }],
      [{ path: 'server/deliveries/sweep.ts', text: 'sql`insert into delivery_jobs (delivery_id) select id`' }],
      [{ path: 'server/operations/retention/rules.ts', text: "removeAgedRows(database, { table: 'activity' })" }],
      [{ path: 'cli/key.ts', text: 'sql`update api_keys set revoked_at = now()`' }],
    ],
  },
  apart('the SDK imports nothing from the server or anything else of ours', {
    files: /^sdk\//,
    from: /^(?!sdk\/)/,
    broken: [[{ path: 'sdk/src/verify.ts', text: "import { sign } from '../../server/endpoints/signature.ts'" }]],
  }),
  {
    name: 'the settings page in the browser knows of the server only what its answers look like',
    faults: (_sources, imports) =>
      imports
        .filter(({ from, to, ours }) => ours && from.startsWith('web/') && /^(server|cli)\//.test(to))
        .filter(({ to, names }) => names.length > 0 || !/^server\/http\/settings\/([a-z]+-)?schemas\.ts$/.test(to))
        .map(({ from, to }) => `${from} imports ${to}`),
    broken: [
      [{ path: 'web/src/keys.tsx', text: "import { mintKey } from '../../server/organizations/api-keys.ts'" }],
      [{ path: 'web/src/keys.tsx', text: "import type { ApiKey } from '../../server/organizations/api-keys.ts'" }],
      [{ path: 'web/src/keys.tsx', text: "import { key } from '../../server/http/settings/schemas.ts'" }],
    ],
  },
  apart('the demo sees the service from outside', {
    files: /^demo\//,
    from: /^(?!demo\/|sdk\/src\/|cli\/handover\.ts$|test\/support\/tls\.ts$)/,
    broken: [[{ path: 'demo/journey.ts', text: "import { mintKey } from '../server/organizations/api-keys.ts'" }]],
  }),
  apart('nothing imports a program: main.ts is where one starts', {
    files: /^(server|cli|sdk|web|demo)\//,
    from: /^(server|cli|demo)\/main\.ts$/,
    broken: [[{ path: 'cli/program.ts', text: "import { start } from '../server/main.ts'" }]],
  }),
  apart('the service knows nothing of its tests, benchmarks and faults', {
    files: /^(server|cli|sdk|web)\//,
    from: /^(test|bench|faults)\//,
    broken: [[{ path: 'server/operations/log.ts', text: "import { createRandom } from '../../faults/random.ts'" }]],
  }),
  {
    name: 'no file imports itself, however many files lie between',
    faults: (_sources, imports) => cyclesIn(imports),
    broken: [
      [
        { path: 'server/deliveries/attempt.ts', text: "import { findResult } from '../interviews/results.ts'" },
        { path: 'server/interviews/results.ts', text: "import { newId } from '../database/ids.ts'" },
        { path: 'server/database/ids.ts', text: "import type { Attempted } from '../deliveries/attempt.ts'" },
      ],
      [
        { path: 'cli/program.ts', text: "import { keyCommands } from './key.ts'" },
        { path: 'cli/key.ts', text: "import type { Run } from './program.ts'" },
      ],
    ],
  },
]

const sources = ['server', 'cli', 'sdk', 'web', 'demo'].flatMap(sourcesUnder)
const imports = sources.flatMap(importsOf)

describe('the rules of docs/architecture.md', () => {
  for (const rule of rules) {
    test(rule.name, () => assert.deepEqual(rule.faults(sources, imports), []))

    test(`${rule.name}: a breach is seen`, () => {
      for (const breach of rule.broken) {
        assert.equal(rule.faults(breach, breach.flatMap(importsOf)).length, 1, JSON.stringify(breach))
      }
    })
  }
})

test('no import cycle is left in tests, benchmarks and tools either', () => {
  const others = ['test', 'bench', 'faults', 'fuzz'].flatMap(sourcesUnder)
  assert.deepEqual(cyclesIn([...imports, ...others.flatMap(importsOf)]), [])
})

test('every table has an owner, and none is listed that is gone', () => {
  const folder = join(import.meta.dirname, '../server/database/migrations')
  const scripts = readdirSync(folder)
    .toSorted()
    .map((name) => readFileSync(join(folder, name), 'utf8'))
    .join('\n')
  const named = (pattern: RegExp) => [...scripts.matchAll(pattern)].map(([, table = '']) => table)
  const dropped = new Set(named(/^\s*drop table (?:if exists )?(\w+)/gm))
  const tables = named(/^\s*create (?:unlogged )?table (?:if not exists )?(\w+)/gm).filter(
    (table) => !dropped.has(table),
  )
  const owned = owners.flatMap(([, theirs]) => theirs).filter((table) => table !== 'schema_migrations')
  assert.deepEqual(owned.toSorted(), tables.toSorted())
})

test('the imports of the real files are found', () => {
  const found = (from: string, to: string) => imports.some((one) => one.from === from && one.to === to)
  assert.ok(found('server/main.ts', 'server/config.ts'))
  assert.ok(found('server/main.ts', 'cli/program.ts'))
  assert.ok(found('server/database/database.ts', 'pg'))
  assert.ok(found('server/http/app.ts', 'fastify'), 'an import over several lines')
  const toSources = imports.filter(({ from, to, ours }) => ours && isBackend(from) && !to.endsWith('.json'))
  for (const { from, to } of toSources) {
    assert.ok(
      sources.some(({ path }) => path === to),
      `${from} imports ${to}, which is not there`,
    )
  }
})

/** A rule by which only some files may import a module. */
function only(
  name: string,
  { modules, within, broken }: { modules: RegExp; within: RegExp; broken: Source[][] },
): Rule {
  return {
    name,
    faults: (_sources, imports) =>
      imports
        .filter(({ from, to, ours }) => !ours && modules.test(to) && !within.test(from))
        .map(({ from, to }) => `${from} imports ${to}`),
    broken,
  }
}

/** A rule by which some files import nothing from others, not even a type. */
function apart(
  name: string,
  { files, from: others, broken }: { files: RegExp; from: RegExp; broken: Source[][] },
): Rule {
  return {
    name,
    faults: (_sources, imports) =>
      imports
        .filter(({ from, to, ours }) => ours && files.test(from) && others.test(to))
        .map(({ from, to }) => `${from} imports ${to}`),
    broken,
  }
}

/** Type-only imports count: a cycle of types ties files together as well. */
function cyclesIn(imports: Import[]): string[] {
  const imported = Map.groupBy(
    imports.filter(({ ours }) => ours),
    ({ from }) => from,
  )
  const done = new Set<string>()
  const visit = (file: string, path: string[]): string[] => {
    if (path.includes(file)) return [[...path.slice(path.indexOf(file)), file].join(' → ')]
    if (done.has(file)) return []
    const found = (imported.get(file) ?? []).flatMap(({ to }) => visit(to, [...path, file]))
    done.add(file)
    return found
  }
  return [...imported.keys()].flatMap((file) => visit(file, []))
}

function layerOf(path: string): number {
  return layers.findIndex(([, files]) => files.test(path))
}

function tablesWrittenIn(text: string): Set<string> {
  const statements = /\b(?:insert\s+into|delete\s+from|(?<!\b(?:for|do) )update|table:\s*')\s*(\w+)/g
  const known = new Set(owners.flatMap(([, tables]) => tables))
  return new Set([...text.matchAll(statements)].map(([, table = '']) => table)).intersection(known)
}

function owns(path: string, table: string): boolean {
  return owners.some(([files, tables]) => files.test(path) && tables.includes(table))
}

function isBackend(path: string): boolean {
  return path.startsWith('server/') || path.startsWith('cli/')
}

function withScheme(module: string): string {
  return module in network ? module : `node:${module}`
}

function sourcesUnder(folder: string): Source[] {
  const root = join(import.meta.dirname, '..')
  let entries: string[] = []
  try {
    entries = readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
  } catch {
    return []
  }
  return entries
    .map((entry) => posix.join(folder, entry.replaceAll('\\', '/')))
    .filter((path) => /\.tsx?$/.test(path) && !/(^|\/)(node_modules|dist)\//.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), 'utf8') }))
}

function importsOf({ path, text }: Source): Import[] {
  const fromClauses = text.matchAll(/^(?:import|export)\s+(type\s+)?([^'";=]*?)\s*from\s*'([^']+)'/gm)
  const bare = text.matchAll(/^import\s*'([^']+)'/gm)
  const called = text.matchAll(/\b(?:import|require|resolve)\(\s*'([^']+)'/g)
  const found = [
    ...[...fromClauses].map(([, type, names = '', to = '']) => ({ to, names: type ? [] : valuesIn(names) })),
    ...[...bare, ...called].map(([, to = '']) => ({ to, names: ['*'] })),
  ]
  return found.map(({ to, names }) => {
    const ours = to.startsWith('.')
    return { from: path, to: ours ? posix.join(dirname(path), to) : to, ours, names }
  })
}

/** The values that an import clause takes; types are gone before the program runs. */
function valuesIn(clause: string): string[] {
  return clause
    .replace(/[{}]/g, ',')
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '' && !name.startsWith('type '))
    .map((name) => name.replace(/\s+as\s.*$/, ''))
}
