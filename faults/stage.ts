import { randomBytes } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Config } from '../server/config.ts'
import { openPostgres } from '../server/database/database.ts'
import { openEmbedded } from '../server/database/embedded.ts'
import { migrate } from '../server/database/migrate.ts'
import { startPostgres } from '../support/postgres.ts'
import { createAuthority } from '../support/tls.ts'
import { mountDisk } from './disk.ts'
import { openFleet } from './fleet.ts'
import { normalBehavior } from './injection.ts'
import { openLaptop } from './laptop.ts'
import { type Names, startNames, stranger } from './names.ts'
import { createPartners, type Kind, type Partner } from './partners.ts'
import type { Site } from './site.ts'
import { preloadEnvironment } from './supervised.ts'
import { startUnreliableSqs } from './unreliable-sqs.ts'

export type Stage = {
  sites: Site[]
  partners: Partner[]
  names: Names
  engineToken: string
  /** What can't be done on this machine, and why. */
  missing: string[]
  close(): Promise<void>
}

const fleetKinds: Kind[] = ['steady', 'steady', 'moody', 'strict', 'refusing', 'absent', 'misnamed', 'changing']
const laptopKinds: Kind[] = ['steady', 'moody', 'changing']
const diskMegabytes = 160

/** Starts everything: two installations, their partners, and the name server. */
export async function setStage(options: {
  folder: string
  servers: Record<'api' | 'worker' | 'api,worker', number>
  processes: number
  queue: Config['queue']['engine']
  retryDelaySeconds: number
  reportProblem: (what: string) => void
  over: AbortController
}): Promise<Stage> {
  const { folder, reportProblem, over } = options
  const stack = new AsyncDisposableStack()
  const authority = createAuthority()
  const secretsKey = randomBytes(32)
  const engineToken = randomBytes(32).toString('hex')
  const authorityFile = join(folder, 'authority.pem')
  await writeFile(authorityFile, authority.ca)

  try {
    const postgres = await startPostgres({ durable: true })
    stack.defer(() => postgres.close())
    const databaseUrl = await postgres.createDatabase()
    const disk = await mountDisk(join(folder, 'disk'), diskMegabytes)
    if (disk) stack.defer(() => disk.close())
    const dataDirectory = join(folder, 'disk', 'data')
    const databaseDirectory = join(dataDirectory, 'database')

    await mkdir(dataDirectory, { mode: 0o700 })

    const partnerOptions = { authority, folder, secretsKey }
    const [fleetPartners, laptopPartners] = await Promise.all([
      withDatabase(openPostgres({ url: databaseUrl, connections: 2 }), (database) =>
        createPartners(database, { ...partnerOptions, kinds: fleetKinds, site: 'fleet' }),
      ),
      withDatabase(await openEmbedded(databaseDirectory), (database) =>
        createPartners(database, { ...partnerOptions, kinds: laptopKinds, site: 'laptop' }),
      ),
    ])
    const partners = [...fleetPartners, ...laptopPartners]
    for (const partner of partners) {
      partner.receiver.behave(normalBehavior(partner))
      stack.defer(() => partner.receiver.kill())
    }
    const present = partners.filter(({ kind }) => kind !== 'absent')
    await Promise.all(present.map(({ receiver }) => receiver.start()))
    const names = await startNames(misnamedAmong(partners))
    stack.defer(() => names.close())

    const environment = {
      APP_URL: 'https://interviews.test',
      ENGINE_TOKEN: engineToken,
      SECRETS_KEY: secretsKey.toString('base64'),
      DESTINATION_ALLOW_CIDRS: `127.0.0.1/32,${stranger}/32`,
      DESTINATION_CA_FILE: authorityFile,
      WEBHOOK_RETRY_DELAY_SECONDS: String(options.retryDelaySeconds),
      SWEEP_INTERVAL_SECONDS: '2',
      LOG_LEVEL: 'warn',
      ...preloadEnvironment({ clock: '', nameServer: names.address }),
    }
    const shared = { folder, environment, nameServer: names.address, reportProblem, over }
    const sqs = options.queue === 'sqs' ? await startUnreliableSqs() : null
    if (sqs) stack.defer(() => sqs.close())
    const sites = await Promise.all([
      openFleet({
        ...shared,
        postgres,
        databaseUrl,
        partners: fleetPartners,
        size: options.servers,
        processes: options.processes,
        sqs,
      }),
      openLaptop({ ...shared, dataDirectory, databaseDirectory, disk, partners: laptopPartners }),
    ])
    for (const site of sites) stack.defer(() => site.close())
    const missing = disk ? [] : ['the full disk, because mounting a small one requires root']
    return { sites, partners, names, engineToken, missing, close: () => stack.disposeAsync() }
  } catch (error) {
    await stack.disposeAsync()
    throw error
  }
}

async function withDatabase<Result>(
  database: ReturnType<typeof openPostgres>,
  work: (database: ReturnType<typeof openPostgres>) => Promise<Result>,
): Promise<Result> {
  try {
    await migrate(database)
    return await work(database)
  } finally {
    await database.close()
  }
}

function misnamedAmong(partners: Partner[]): { misnamed: string; port: number } {
  const partner = partners.find(({ kind }) => kind === 'misnamed')
  if (!partner) throw new Error('There is no misnamed partner')
  return { misnamed: new URL(partner.receiver.url).hostname, port: partner.receiver.port }
}
