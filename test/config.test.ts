import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { type Config, readConfig } from '../server/config.ts'
import { createAuthority } from '../support/tls.ts'

const postgres = 'postgres://service:s3cret@db.example:5432/interviews'
const key = Buffer.alloc(32, 7)
const secrets = { ENGINE_TOKEN: 'e'.repeat(32), SECRETS_KEY: key.toString('base64') }

let folder: string
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'config-test-'))
  const { ca } = createAuthority()
  await writeFile(join(folder, 'ca.pem'), ca)
  await writeFile(join(folder, 'bundle.pem'), `${ca}\n${ca}`)
  await writeFile(join(folder, 'damaged.pem'), `-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n${ca}`)
  await writeFile(join(folder, 'broken.pem'), '-----BEGIN CERTIFICATE-----\nabc\n-----END CERTIFICATE-----\n')
  await writeFile(join(folder, 'empty.pem'), 'nothing of use')
})
after(() => rm(folder, { recursive: true }))

test('an empty environment configures a server that works on a laptop', () => {
  assert.deepEqual(good({}), {
    host: '127.0.0.1',
    port: 3000,
    appUrl: 'http://127.0.0.1:3000',
    apiUrl: 'http://127.0.0.1:3000',
    interviewUrl: 'http://127.0.0.1:3000/interview/{token}',
    hasInterviewPage: true,
    store: { engine: 'embedded', directory: resolve('data') },
    queue: { engine: 'postgres' },
    engineToken: null,
    secretsKey: null,
    secretsKeyPrevious: null,
    roles: new Set(['api', 'worker']),
    sandbox: true,
    listen: true,
    logLevel: 'info',
    retryDelaySeconds: 60,
    sweepIntervalSeconds: 60,
    destinationAllowCidrs: [],
    destinationCa: null,
    nodeExtraCa: null,
    retentionDays: { attempts: 30, images: 90, activity: 365 },
    trustedProxies: [],
    processes: 1,
    stopDelaySeconds: 0,
    metricsPort: null,
    metricsHost: '127.0.0.1',
    metricsToken: null,
    mail: null,
    traces: null,
  })
})

test('several processes need a database they can share', () => {
  const url = { DATABASE_URL: postgres, ...secrets }
  assert.equal(good({ ...url, PROCESSES: '4' }).processes, 4)
  assert.deepEqual(bad({ PROCESSES: '2' }), [
    'PROCESSES must be 1 without DATABASE_URL: only one process can use the embedded database',
  ])
})

test('a mail server is an address, with a sender and perhaps a login', () => {
  const from = { MAIL_FROM: 'Interviews <interviews@example.com>' }
  const sender = { name: 'Interviews', address: 'interviews@example.com' }
  const mail = (url: string) => good({ SMTP_URL: url, ...from }).mail
  const login = { user: 'a@b', password: 'p/w' }
  const host = 'mail.example.com'
  assert.deepEqual(mail(`smtps://a%40b:p%2Fw@${host}`), { host, port: 465, encryption: 'tls', login, from: sender })
  assert.deepEqual(mail(`smtp://a%40b:p%2Fw@${host}`), { host, port: 587, encryption: 'starttls', login, from: sender })
  assert.partialDeepStrictEqual(mail('smtp://a%40b:p%2Fw@127.0.0.1:2525'), { port: 2525, encryption: 'either', login })
  assert.partialDeepStrictEqual(mail('smtp://[::1]:25/'), { host: '::1', port: 25, encryption: 'either', login: null })
  assert.deepEqual(good({ SMTP_URL: 'smtp://localhost', MAIL_FROM: 'a@example.com' }).mail?.from, {
    name: '',
    address: 'a@example.com',
  })
  assert.deepEqual(bad({ SMTP_URL: 'smtp://localhost' }), ['MAIL_FROM is required when SMTP_URL is set'])
  assert.deepEqual(bad(from), ['SMTP_URL is required when MAIL_FROM is set'])
  assert.ok(readConfig('command', from).ok, 'commands do not need the secret')
  for (const url of ['http://localhost', 'smtp://', 'smtp://user@host', 'smtp://a:%zz@host', 'smtp://host/?x=1']) {
    assert.match(bad({ SMTP_URL: url, ...from }).join(), /^SMTP_URL must be an address such as smtps:/, url)
  }
  for (const name of ['nobody', 'a@b@c', 'A <a@b>, B <b@c>', 'A <a@b.c', 'a b@example.com']) {
    assert.match(bad({ SMTP_URL: 'smtp://localhost', MAIL_FROM: name }).join(), /^MAIL_FROM must be an email/, name)
  }
})

test('the queue can be on SQS, under a name of its own', () => {
  assert.deepEqual(good({ QUEUE: 'sqs' }).queue, { engine: 'sqs', name: 'partner-interview-deliveries' })
  assert.deepEqual(good({ QUEUE: 'sqs', SQS_QUEUE: 'staging_events-2' }).queue, {
    engine: 'sqs',
    name: 'staging_events-2',
  })
  assert.deepEqual(bad({ QUEUE: 'kafka', SQS_QUEUE: 'events.fifo' }), [
    'QUEUE must be postgres or sqs',
    'SQS_QUEUE must be 1 to 70 letters, digits, hyphens and underscores, without .fifo',
  ])
})

test('tracing is on when the standard variables name an endpoint', () => {
  const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' }
  assert.deepEqual(good(endpoint).traces, { serviceName: 'partner-interview-api' })
  const forTraces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'http://127.0.0.1:4318/v1/traces' }
  assert.deepEqual(good({ ...forTraces, OTEL_SERVICE_NAME: 'a' }).traces, { serviceName: 'a' })
  const attributes = { OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=x,service.name=b' }
  assert.deepEqual(good({ ...endpoint, ...attributes }).traces, { serviceName: 'b' })
  assert.equal(good({ ...endpoint, OTEL_SDK_DISABLED: 'true' }).traces, null)
  assert.equal(good({ OTEL_SERVICE_NAME: 'a' }).traces, null)
})

test('with DATABASE_URL the sandbox is off by default', () => {
  const config = good({ DATABASE_URL: postgres, ...secrets })
  assert.deepEqual(config.store, { engine: 'postgres', url: postgres, connections: 10 })
  assert.equal(config.sandbox, false)
  assert.equal(good({ DATABASE_URL: postgres, ...secrets, SANDBOX: 'true' }).sandbox, true)
})

describe('valid values', () => {
  const cases: [name: string, text: string, part: keyof Config, value: unknown][] = [
    ['HOST', '0.0.0.0', 'host', '0.0.0.0'],
    ['HOST', '0.0.0.0', 'appUrl', 'http://0.0.0.0:3000'],
    ['HOST', '::1', 'appUrl', 'http://[::1]:3000'],
    ['PORT', '1', 'port', 1],
    ['PORT', '65535', 'port', 65_535],
    ['PORT', ' 8080 ', 'port', 8080],
    ['PORT', '', 'port', 3000],
    ['PORT', '8080', 'interviewUrl', 'http://127.0.0.1:8080/interview/{token}'],
    ['APP_URL', 'https://interviews.example', 'appUrl', 'https://interviews.example'],
    ['APP_URL', 'https://example.com/interviews/', 'appUrl', 'https://example.com/interviews'],
    ['APP_URL', 'https://interviews.example', 'interviewUrl', 'https://interviews.example/interview/{token}'],
    ['APP_URL', 'https://interviews.example', 'apiUrl', 'https://interviews.example'],
    ['API_URL', 'https://api.example/', 'apiUrl', 'https://api.example'],
    ['INTERVIEW_URL', 'https://go.example/?t={token}', 'interviewUrl', 'https://go.example/?t={token}'],
    ['DATA_DIR', '/srv/interviews', 'store', { engine: 'embedded', directory: resolve('/srv/interviews') }],
    ['DATA_DIR', 'elsewhere', 'store', { engine: 'embedded', directory: resolve('elsewhere') }],
    ['ENGINE_TOKEN', 't'.repeat(32), 'engineToken', 't'.repeat(32)],
    ['SECRETS_KEY', key.toString('base64'), 'secretsKey', key],
    ['SECRETS_KEY', key.toString('base64url'), 'secretsKey', key],
    ['ROLES', 'worker, api', 'roles', new Set(['api', 'worker'])],
    ['SANDBOX', 'false', 'sandbox', false],
    ['SANDBOX', '0', 'sandbox', false],
    ['SANDBOX', '1', 'sandbox', true],
    ['SANDBOX', 'TRUE', 'sandbox', true],
    ['LISTEN', 'false', 'listen', false],
    ['LOG_LEVEL', 'silent', 'logLevel', 'silent'],
    ['LOG_LEVEL', 'trace', 'logLevel', 'trace'],
    ['WEBHOOK_RETRY_DELAY_SECONDS', '0', 'retryDelaySeconds', 0],
    ['WEBHOOK_RETRY_DELAY_SECONDS', '86400', 'retryDelaySeconds', 86_400],
    ['SWEEP_INTERVAL_SECONDS', '1', 'sweepIntervalSeconds', 1],
    ['SWEEP_INTERVAL_SECONDS', '3600', 'sweepIntervalSeconds', 3600],
    ['DESTINATION_ALLOW_CIDRS', '10.0.0.0/8', 'destinationAllowCidrs', ['10.0.0.0/8']],
    ['DESTINATION_ALLOW_CIDRS', '127.0.0.0/8, fd00::/8', 'destinationAllowCidrs', ['127.0.0.0/8', 'fd00::/8']],
    ['DESTINATION_ALLOW_CIDRS', '10.1.2.3', 'destinationAllowCidrs', ['10.1.2.3/32']],
    ['TRUSTED_PROXIES', '10.1.0.0/16', 'trustedProxies', ['10.1.0.0/16']],
    ['TRUSTED_PROXIES', '10.1.2.3, fd00::1', 'trustedProxies', ['10.1.2.3/32', 'fd00::1/128']],
    ['RETENTION_ATTEMPT_DAYS', '7', 'retentionDays', { attempts: 7, images: 90, activity: 365 }],
    ['RETENTION_IMAGE_DAYS', '0', 'retentionDays', { attempts: 30, images: null, activity: 365 }],
    ['RETENTION_ACTIVITY_DAYS', 'off', 'retentionDays', { attempts: 30, images: 90, activity: null }],
    ['STOP_DELAY_SECONDS', '15', 'stopDelaySeconds', 15],
    ['METRICS_PORT', '9464', 'metricsPort', 9464],
    ['METRICS_HOST', '::', 'metricsHost', '::'],
    ['METRICS_TOKEN', 't'.repeat(32), 'metricsToken', 't'.repeat(32)],
  ]
  for (const [name, text, part, value] of cases) {
    test(`${name}=${text} → ${part}`, () => assert.deepEqual(good({ [name]: text })[part], value))
  }

  test('DATABASE_CONNECTIONS', () => {
    const { store } = good({ DATABASE_URL: postgres, DATABASE_CONNECTIONS: '25', ...secrets })
    assert.deepEqual(store, { engine: 'postgres', url: postgres, connections: 25 })
  })

  test('a single role on PostgreSQL', () => {
    assert.deepEqual(good({ DATABASE_URL: postgres, ROLES: 'api', ...secrets }).roles, new Set(['api']))
    assert.deepEqual(good({ DATABASE_URL: postgres, ROLES: 'worker', ...secrets }).roles, new Set(['worker']))
  })

  test('DESTINATION_CA_FILE is read at startup', () => {
    for (const file of ['ca.pem', 'bundle.pem']) {
      assert.match(good({ DESTINATION_CA_FILE: join(folder, file) }).destinationCa ?? '', /BEGIN CERTIFICATE/)
    }
  })
})

describe('an invalid value is an error that names the variable and what it must be', () => {
  const number = (min: number, max: number) => `must be a whole number between ${min} and ${max}`
  const days = 'must be a number of days from 1 to 36500, or off to keep forever'
  const address = 'must be an http or https address such as https://interviews.example.com'
  const link = 'must be an http or https address with {token} in it'
  const database = 'must be an address such as postgres://user:password@host:5432/database'
  const token = 'must be at least 32 characters long'
  const bytes = 'must be 32 bytes as base64 (create one with: openssl rand -base64 32)'
  const ranges = 'must be a list of addresses and ranges such as 10.1.2.3,10.0.0.0/8,fd00::/8; invalid:'
  const cases: [name: string, texts: string[], error: string][] = [
    ['PORT', ['0', '65536', '-1', '80.5', '0x50', 'http', '1e3', '９'], number(1, 65_535)],
    ['DATABASE_CONNECTIONS', ['0', '1001', 'many'], number(1, 1000)],
    ['WEBHOOK_RETRY_DELAY_SECONDS', ['-1', '86401', '1.5'], number(0, 86_400)],
    ['SWEEP_INTERVAL_SECONDS', ['0', '3601', 'often'], number(1, 3600)],
    ['RETENTION_IMAGE_DAYS', ['-1', '36501', '1.5', 'never'], days],
    [
      'APP_URL',
      [
        'interviews.example',
        'ftp://a.example',
        'https://u:p@a.example',
        'https://a.example/?q',
        'https://a.example/#h',
      ],
      address,
    ],
    ['INTERVIEW_URL', ['https://a.example/interview', '/interview/{token}', 'mailto:{token}'], link],
    ['DATABASE_URL', ['mysql://user:s3cret@host/db', 's3cret', 'postgres'], database],
    ['ENGINE_TOKEN', ['s3cret', 's3cret'.padEnd(31, 'x')], token],
    ['ENGINE_TOKEN', ['s3crét'.padEnd(40, 'x')], 'must contain only printable ASCII characters'],
    ['SECRETS_KEY', ['s3cret', Buffer.alloc(31).toString('base64'), Buffer.alloc(33).toString('base64'), '!'], bytes],
    ['ROLES', ['api,admin', 'everything', 'api,'], 'must be api, worker or api,worker'],
    ['SANDBOX', ['yes', 'on', '2'], 'must be true or false'],
    ['LOG_LEVEL', ['loud', 'INFO'], 'must be one of fatal, error, warn, info, debug, trace, silent'],
    ['DESTINATION_ALLOW_CIDRS', ['10.0.0'], `${ranges} 10.0.0`],
    ['DESTINATION_ALLOW_CIDRS', ['fe80::1%eth0'], `${ranges} fe80::1%eth0`],
    ['DESTINATION_ALLOW_CIDRS', ['10.0.0.0/8,everyone'], `${ranges} everyone`],
    ['PROCESSES', ['0', '257', 'all'], number(1, 256)],
    ['STOP_DELAY_SECONDS', ['-1', '301'], number(0, 300)],
    ['METRICS_PORT', ['0', '65536'], number(1, 65_535)],
    ['METRICS_PORT', ['3000'], 'must differ from PORT'],
    ['METRICS_TOKEN', ['s3cret'], token],
    ['TRUSTED_PROXIES', ['proxy.example'], `${ranges} proxy.example`],
    [
      'DESTINATION_CA_FILE',
      ['/nowhere/ca.pem'],
      `can't be read: ENOENT: no such file or directory, open '/nowhere/ca.pem'`,
    ],
  ]
  for (const [name, texts, error] of cases) {
    for (const text of texts) {
      test(`${name}=${text}`, () => {
        const errors = bad({ ...(name === 'DATABASE_URL' && secrets), [name]: text })
        assert.deepEqual(errors, [`${name} ${error}`])
        assert.ok(!errors.join().includes('s3cret'), 'the error contains the secret')
      })
    }
  }

  test('DESTINATION_CA_FILE without a certificate, or with one that hides those after it', () => {
    for (const [name, fault] of [
      ['empty.pem', 'contains no certificate'],
      ['broken.pem', 'contains a damaged certificate'],
      ['damaged.pem', 'contains a damaged certificate'],
    ] as const) {
      const file = join(folder, name)
      assert.deepEqual(bad({ DESTINATION_CA_FILE: file }), [`DESTINATION_CA_FILE ${fault}: ${file}`])
    }
  })

  for (const role of ['api', 'worker']) {
    test(`ROLES=${role} without DATABASE_URL: a second process can't share the database`, () => {
      const error = 'ROLES must be api,worker without DATABASE_URL: only one process can use the embedded database'
      assert.deepEqual(bad({ ROLES: role }), [error])
    })
  }
})

test('with DATABASE_URL, missing secrets are errors', () => {
  assert.deepEqual(bad({ DATABASE_URL: postgres }), [
    'ENGINE_TOKEN is required when DATABASE_URL is set',
    'SECRETS_KEY is required when DATABASE_URL is set',
  ])
  assert.deepEqual(bad({ DATABASE_URL: postgres, ...secrets, ENGINE_TOKEN: '  ' }), [
    'ENGINE_TOKEN is required when DATABASE_URL is set',
  ])
})

test('a command needs none of the server’s secrets', () => {
  assert.equal(readConfig('command', { DATABASE_URL: postgres }).ok, true)
})

test('all errors are listed at once', () => {
  const errors = bad({ PORT: 'x', APP_URL: 'x', SECRETS_KEY: 'x', ROLES: 'x', SANDBOX: 'x', LOG_LEVEL: 'x' })
  const names = errors.map((error) => error.split(' ')[0])
  assert.deepEqual(names, ['PORT', 'APP_URL', 'SECRETS_KEY', 'ROLES', 'SANDBOX', 'LOG_LEVEL'])
})

test('with an invalid DATABASE_URL the secrets are still required, and a single role is still allowed', () => {
  assert.deepEqual(bad({ DATABASE_URL: 'mysql://host/db', ROLES: 'api' }), [
    'DATABASE_URL must be an address such as postgres://user:password@host:5432/database',
    'ENGINE_TOKEN is required when DATABASE_URL is set',
    'SECRETS_KEY is required when DATABASE_URL is set',
  ])
})

describe('a secret from a file', () => {
  const file = async (name: string, text: string) => {
    await writeFile(join(folder, name), text)
    return join(folder, name)
  }

  test('counts like the setting itself, without the line break at its end', async () => {
    const config = good({
      DATABASE_URL_FILE: await file('database-url', `${postgres}\n`),
      ENGINE_TOKEN_FILE: await file('engine-token', `${secrets.ENGINE_TOKEN}\n`),
      SECRETS_KEY_FILE: await file('secrets-key', secrets.SECRETS_KEY),
      SECRETS_KEY_PREVIOUS_FILE: await file('previous', secrets.SECRETS_KEY),
      METRICS_TOKEN_FILE: await file('metrics-token', 'm'.repeat(32)),
    })
    const { store, engineToken, secretsKey, secretsKeyPrevious, metricsToken } = config
    assert.deepEqual(store, { engine: 'postgres', url: postgres, connections: 10 })
    assert.deepEqual([engineToken, metricsToken], [secrets.ENGINE_TOKEN, 'm'.repeat(32)])
    assert.deepEqual([secretsKey, secretsKeyPrevious], [key, key])
  })

  test('must exist, have content and be the only source', async () => {
    const environment = {
      DATABASE_URL_FILE: join(folder, 'none'),
      ENGINE_TOKEN_FILE: await file('blank', '\n'),
      SECRETS_KEY: secrets.SECRETS_KEY,
      SECRETS_KEY_FILE: await file('secrets-key', secrets.SECRETS_KEY),
    }
    const read = readConfig('server', environment)
    assert.ok(!read.ok)
    assert.match(
      read.faults.join('\n'),
      /^DATABASE_URL_FILE can't be read: ENOENT.*\nENGINE_TOKEN_FILE names an empty file: .*blank\nSECRETS_KEY and SECRETS_KEY_FILE are both set\. Remove one of them$/,
    )
  })
})

function good(environment: Record<string, string>): Config {
  const read = readConfig('server', environment)
  assert.ok(read.ok, JSON.stringify(read))
  return read.config
}

function bad(environment: Record<string, string>): string[] {
  const read = readConfig('server', environment)
  assert.ok(!read.ok, JSON.stringify(read))
  return read.faults
}
