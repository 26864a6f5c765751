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
    modules: /^pg-boss$/,
    within: /^server\/queue\//,
    broken: [[{ path: 'server/deliveries/sweep.ts', text: "import { PgBoss } from 'pg-boss'" }]],
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
    rooms: /^server\/(interviews|organizations)\//,
    from: /^server\/(deliveries|endpoints|queue|http|workflows|services\.ts|main\.ts)|^cli\//,
    broken: [
      [{ path: 'server/interviews/results.ts', text: "import { newDelivery } from '../deliveries/deliveries.ts'" }],
      [{ path: 'server/organizations/api-keys.ts', text: "import type { Refusal } from '../http/errors.ts'" }],
      [{ path: 'server/interviews/results.ts', text: "export { complete } from '../workflows/complete-interview.ts'" }],
    ],
  }),
  apart('deliveries, endpoints, the queue and outbound know nothing of http', {
    rooms: /^server\/(deliveries|endpoints|queue|outbound)\//,
    from: /^server\/(http|workflows|services\.ts|main\.ts)|^cli\//,
    broken: [[{ path: 'server/deliveries/worker.ts', text: "import { errors } from '../http/errors.ts'" }]],
  }),
  apart('the database knows no domain', {
    rooms: /^server\/database\//,
    from: /^server\/(?!database\/)|^(cli|sdk|web)\//,
    broken: [[{ path: 'server/database/database.ts', text: "import { newId } from '../interviews/paging.ts'" }]],
  }),
  apart('the SDK imports nothing of ours', {
    rooms: /^sdk\//,
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
    rooms: /^demo\//,
    from: /^(?!demo\/|sdk\/src\/|cli\/handover\.ts$|test\/support\/tls\.ts$)/,
    broken: [[{ path: 'demo/journey.ts', text: "import { mintKey } from '../server/organizations/api-keys.ts'" }]],
  }),
  apart('nothing imports a program: main.ts is where one starts', {
    rooms: /^(server|cli|sdk|web|demo)\//,
    from: /^(server|cli|demo)\/main\.ts$/,
    broken: [[{ path: 'cli/program.ts', text: "import { start } from '../server/main.ts'" }]],
  }),
  apart('the service knows nothing of its tests, benchmarks and faults', {
    rooms: /^(server|cli|sdk|web)\//,
    from: /^(test|bench|faults)\//,
    broken: [[{ path: 'server/operations/log.ts', text: "import { createRandom } from '../../faults/random.ts'" }]],
  }),
  {
    name: 'no circle of imports among the rooms',
    faults: (_sources, imports) => circles(imports),
    broken: [
      [
        { path: 'server/deliveries/attempt.ts', text: "import { findResult } from '../interviews/results.ts'" },
        { path: 'server/interviews/results.ts', text: "import { newId } from '../database/ids.ts'" },
        { path: 'server/database/ids.ts', text: "import type { Delivery } from '../deliveries/attempt.ts'" },
      ],
    ],
  },
]

const sources = ['server', 'cli', 'sdk', 'web', 'demo'].flatMap(sourcesUnder)
const imports = sources.flatMap(importsOf)

describe('who may import whom', () => {
  for (const rule of rules) {
    test(rule.name, () => assert.deepEqual(rule.faults(sources, imports), []))

    test(`${rule.name}: a breach is seen`, () => {
      for (const breach of rule.broken) {
        assert.equal(rule.faults(breach, breach.flatMap(importsOf)).length, 1, JSON.stringify(breach))
      }
    })
  }
})

test('the imports of the real files are found', () => {
  const found = (from: string, to: string) => imports.some((one) => one.from === from && one.to === to)
  assert.ok(found('server/main.ts', 'server/config.ts'))
  assert.ok(found('server/main.ts', 'cli/program.ts'))
  assert.ok(found('server/database/database.ts', 'pg'))
  assert.ok(found('server/http/app.ts', 'fastify'), 'an import over several lines')
  for (const { from, to } of imports.filter(({ from, ours }) => ours && isBackend(from))) {
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

/** A rule by which files of some rooms import nothing from others, not even a type. */
function apart(
  name: string,
  { rooms, from: others, broken }: { rooms: RegExp; from: RegExp; broken: Source[][] },
): Rule {
  return {
    name,
    faults: (_sources, imports) =>
      imports
        .filter(({ from, to, ours }) => ours && rooms.test(from) && others.test(to))
        .map(({ from, to }) => `${from} imports ${to}`),
    broken,
  }
}

function circles(imports: Import[]): string[] {
  const ways = new Map<string, Set<string>>()
  for (const { from, to, ours } of imports) {
    if (!ours || roomOf(from) === roomOf(to)) continue
    ways.set(roomOf(from), (ways.get(roomOf(from)) ?? new Set()).add(roomOf(to)))
  }
  const done = new Set<string>()
  const visit = (room: string, path: string[]): string[] => {
    if (path.includes(room)) return [[...path.slice(path.indexOf(room)), room].join(' → ')]
    if (done.has(room)) return []
    const found = [...(ways.get(room) ?? [])].flatMap((next) => visit(next, [...path, room]))
    done.add(room)
    return found
  }
  return [...ways.keys()].flatMap((room) => visit(room, []))
}

/** A folder of the house, or a file that stands in the hall. */
function roomOf(path: string): string {
  const [top, folder] = path.split('/')
  return top === 'server' ? `server/${folder}` : path.startsWith('cli/main') ? path : String(top)
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
