import { apart, only, type Rule } from './rule.ts'
import { cyclesIn } from './sources.ts'

/** From top to bottom: a file may import from its own layer and those below it. */
const layers: [name: string, files: RegExp][] = [
  ['programs', /^((server|cli)\/main|server\/(server|start-failure))\.ts$/],
  ['commands and operations', /^cli\/|^server\/operations\//],
  ['services', /^server\/services\.ts$/],
  ['http, worker and sweep', /^server\/(http\/|config(-values)?\.ts$|deliveries\/(worker|sweep)\.ts$)/],
  ['workflows', /^server\/workflows\//],
  [
    'domain modules',
    /^server\/(organizations|interviews|images|endpoints|deliveries|queue|outbound|listeners|notifications|auth)\//,
  ],
  ['database', /^server\/database\//],
  ['schemas', /^server\/schema\.ts$/],
]

/** Which files may write which tables. */
export const owners: [files: RegExp, tables: string[]][] = [
  [/^server\/database\/migrate\.ts$/, ['schema_migrations']],
  [
    /^server\/organizations\//,
    [
      'organizations',
      'api_keys',
      'rate_windows',
      'key_usage',
      'request_log',
      'activity',
      'members',
      'users',
      'accounts',
      'sessions',
      'member_invitations',
      'password_resets',
      'second_factors',
    ],
  ],
  [/^server\/auth\//, ['sign_in_attempts', 'sign_in_places', 'sign_in_challenges', 'single_sign_on']],
  [/^server\/interviews\//, ['templates', 'candidates', 'interviews', 'results']],
  [/^server\/images\//, ['thumbnails']],
  [
    /^server\/endpoints\//,
    ['webhook_endpoints', 'secrets_key_mark', 'check_windows', 'endpoint_states', 'endpoint_look'],
  ],
  // Only the state machine.
  [/^server\/deliveries\/transitions\.ts$/, ['deliveries', 'delivery_rounds']],
  [/^server\/deliveries\//, ['dead_letters', 'retry_runs', 'delivery_half_hours', 'attempt_half_hours']],
  // A claim also records the attempt that a dead worker never reported, in the statement that counts the next receive.
  [/^server\/(deliveries\/|queue\/jobs\.ts$)/, ['delivery_attempts']],
  [/^server\/queue\//, ['delivery_jobs', 'endpoint_paces', 'pace_turns']],
  [/^server\/listeners\//, ['listen_tokens', 'listen_samples']],
  [/^server\/notifications\//, ['outbox', 'outbox_status', 'chat_webhooks']],
  [/^server\/operations\/scheduler\.ts$/, ['turns']],
]

const outwards = /^server\/outbound\//
// The command line connects to the local server through a socket file.
const localSocket = /^cli\/handover\.ts$/

// Modules that can open a socket, with the names in them that don't.
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

export const rules: Rule[] = [
  {
    name: 'only server/config.ts reads the environment',
    violations: (sources) =>
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
  only('only server/database imports pg or PGlite', {
    modules: /^pg$|^@electric-sql\//,
    within: /^server\/database\//,
    broken: [
      [{ path: 'server/interviews/templates.ts', text: "import pg from 'pg'" }],
      [{ path: 'cli/main.ts', text: "import { PGlite } from '@electric-sql/pglite'" }],
      [{ path: 'server/http/app.ts', text: "import type { Pool } from 'pg'" }],
    ],
  }),
  only('only server/queue imports a queue client', {
    modules: /^@aws-sdk\//,
    within: /^server\/queue\//,
    broken: [[{ path: 'server/deliveries/sweep.ts', text: "import { SQSClient } from '@aws-sdk/client-sqs'" }]],
  }),
  only('only server/notifications sends mail', {
    modules: /^nodemailer\b/,
    within: /^server\/notifications\//,
    broken: [[{ path: 'server/endpoints/endpoint-health.ts', text: "import { createTransport } from 'nodemailer'" }]],
  }),
  only('only server/auth imports the sign-in library', {
    modules: /^better-auth\b|^@better-auth\//,
    within: /^server\/auth\//,
    broken: [
      [{ path: 'server/http/settings/session.ts', text: "import { betterAuth } from 'better-auth'" }],
      [{ path: 'cli/member.ts', text: "const { hashPassword } = await import('better-auth/crypto')" }],
    ],
  }),
  only('only server/operations/metrics imports the metrics library', {
    modules: /^prom-client$/,
    within: /^server\/operations\/metrics\//,
    broken: [[{ path: 'server/http/app.ts', text: "import { Counter } from 'prom-client'" }]],
  }),
  only('only server/operations/tracing imports the tracing library', {
    modules: /^@opentelemetry\//,
    within: /^server\/operations\/tracing\//,
    broken: [[{ path: 'server/workflows/complete-interview.ts', text: "import { trace } from '@opentelemetry/api'" }]],
  }),
  only('only server/main.ts and server/operations/processes use node:cluster', {
    modules: /^(node:)?cluster$/,
    within: /^server\/(main\.ts|operations\/processes\/)/,
    broken: [[{ path: 'server/http/app.ts', text: "import cluster from 'node:cluster'" }]],
  }),
  {
    name: 'the tracing library is loaded only if tracing is on',
    violations: (sources) =>
      sources
        .filter(
          ({ path, text }) => isBackend(path) && /^import\s+(?!type\b)[^']*'[^']*\/tracing\/tracing\.ts'/m.test(text),
        )
        .map(({ path }) => `${path} imports it statically`),
    broken: [
      [{ path: 'server/operations/observability.ts', text: "import { startTracing } from './tracing/tracing.ts'" }],
    ],
  },
  {
    name: 'the mail library is loaded only with the first mail',
    violations: (sources) =>
      sources
        .filter(({ path, text }) => isBackend(path) && /^import\s+(?!type\b)[^']*'nodemailer/m.test(text))
        .map(({ path }) => `${path} imports it statically`),
    broken: [[{ path: 'server/notifications/mailer.ts', text: "import { createTransport } from 'nodemailer'" }]],
  },
  {
    name: 'the AWS client is loaded only if the queue is on SQS',
    violations: (sources) =>
      sources
        .filter(({ path, text }) => isBackend(path) && /^import\s+(?!type\b)[^']*'@aws-sdk\//m.test(text))
        .map(({ path }) => `${path} imports it statically`),
    broken: [[{ path: 'server/queue/sqs-client.ts', text: "import { SQSClient } from '@aws-sdk/client-sqs'" }]],
  },
  {
    name: 'only server/outbound opens outgoing connections',
    violations: (sources, imports) => [
      ...imports
        .filter(({ from }) => isBackend(from) && !outwards.test(from) && !localSocket.test(from))
        .filter(({ to, names }) => names.some((name) => network[withScheme(to)]?.includes(name) === false))
        .map(({ from, to, names }) => `${from} imports ${names.join(', ')} of ${to}`),
      ...sources
        .filter(({ path }) => isBackend(path) && !outwards.test(path))
        .filter(({ text }) => /(?<![.\w])(fetch\(|new (WebSocket|EventSource)\b)|globalThis\.fetch/.test(text))
        .map(({ path }) => `${path} uses fetch or a built-in socket`),
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
  apart('interviews and organizations import nothing from deliveries, endpoints, the queue or http', {
    files: /^server\/(interviews|organizations)\//,
    from: /^server\/(deliveries|endpoints|queue|http)\//,
    broken: [
      [{ path: 'server/interviews/results.ts', text: "import { open } from '../deliveries/transitions.ts'" }],
      [{ path: 'server/organizations/api-keys.ts', text: "import type { Refusal } from '../http/errors.ts'" }],
      [{ path: 'server/interviews/results.ts', text: "export { enqueueJobs } from '../queue/jobs.ts'" }],
    ],
  }),
  {
    name: 'a file imports only from its own layer and those below it',
    violations: (sources, imports) => [
      ...sources
        .filter(({ path }) => isBackend(path) && layerOf(path) === -1)
        .map(({ path }) => `${path} is in no layer`),
      ...imports
        .filter(({ from, to, ours }) => ours && isBackend(from) && isBackend(to) && layerOf(to) < layerOf(from))
        .map(({ from, to }) => `${from} imports ${to} from a higher layer, ${layers[layerOf(to)]?.[0]}`),
    ],
    broken: [
      [{ path: 'server/deliveries/attempt.ts', text: "import { errors } from '../http/errors.ts'" }],
      [{ path: 'server/deliveries/load.ts', text: "import type { WorkerLog } from './worker.ts'" }],
      [{ path: 'server/workflows/sandbox.ts', text: "import { sweep } from '../deliveries/sweep.ts'" }],
      [{ path: 'server/endpoints/endpoint.ts', text: "import { retryFailed } from '../workflows/administer.ts'" }],
      [{ path: 'server/http/app.ts', text: "import type { Services } from '../services.ts'" }],
      [{ path: 'server/images/semaphore.ts', text: "import type { Config } from '../config.ts'" }],
      [{ path: 'server/database/database.ts', text: "import { resultUrl } from '../interviews/results.ts'" }],
      [{ path: 'server/services.ts', text: "import { startMaintenance } from './operations/maintenance.ts'" }],
      [{ path: 'server/misc/helpers.ts', text: '' }],
    ],
  },
  {
    name: 'only the domain that owns a table writes to it',
    violations: (sources) =>
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
  apart('the SDK imports nothing from the rest of the project', {
    files: /^sdk\//,
    from: /^(?!sdk\/)/,
    broken: [[{ path: 'sdk/src/verify.ts', text: "import { sign } from '../../server/endpoints/signature.ts'" }]],
  }),
  {
    name: 'the settings page imports only response types from the server',
    violations: (_sources, imports) =>
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
  apart('the demo uses the service only from the outside', {
    files: /^demo\//,
    from: /^(?!demo\/|sdk\/src\/|cli\/handover\.ts$|support\/tls\.ts$)/,
    broken: [[{ path: 'demo/journey.ts', text: "import { mintKey } from '../server/organizations/api-keys.ts'" }]],
  }),
  apart('nothing imports a main.ts', {
    files: /^(server|cli|sdk|web|demo)\//,
    from: /^(server|cli|demo)\/main\.ts$/,
    broken: [[{ path: 'cli/program.ts', text: "import { start } from '../server/main.ts'" }]],
  }),
  apart('the service imports nothing from its tests, benchmarks and faults', {
    files: /^(server|cli|sdk|web)\//,
    from: /^(test|bench|faults)\//,
    broken: [[{ path: 'server/operations/log.ts', text: "import { createRandom } from '../../faults/random.ts'" }]],
  }),
  {
    name: 'there are no import cycles',
    violations: (_sources, imports) => cyclesIn(imports),
    broken: [
      [
        { path: 'server/deliveries/attempt.ts', text: "import { resultUrl } from '../interviews/results.ts'" },
        { path: 'server/interviews/results.ts', text: "import { newId } from '../database/ids.ts'" },
        { path: 'server/database/ids.ts', text: "import type { AttemptResult } from '../deliveries/attempt.ts'" },
      ],
      [
        { path: 'cli/program.ts', text: "import { keyCommands } from './key.ts'" },
        { path: 'cli/key.ts', text: "import type { Run } from './program.ts'" },
      ],
    ],
  },
]

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

export function isBackend(path: string): boolean {
  return path.startsWith('server/') || path.startsWith('cli/')
}

function withScheme(module: string): string {
  return module in network ? module : `node:${module}`
}
