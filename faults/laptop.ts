import { setTimeout } from 'node:timers/promises'
import { handOver } from '../cli/handover.ts'
import { openEmbedded } from '../server/database/embedded.ts'
import type { Disk } from './disk.ts'
import type { Partner } from './partners.ts'
import type { Site, SiteOptions } from './site.ts'
import { supervise } from './supervised.ts'

/** The embedded default: one process with all roles, on a disk that can be full. */
export async function openLaptop(
  options: SiteOptions & { dataDirectory: string; databaseDirectory: string; disk: Disk | null; partners: Partner[] },
): Promise<Site> {
  const { folder, nameServer, reportProblem, over, disk, databaseDirectory, partners } = options
  const environment = { ...options.environment, DATA_DIR: options.dataDirectory }
  const server = await supervise({ name: 'embedded', environment, nameServer, folder, reportProblem, over })
  return {
    name: 'embedded',
    partners,
    servers: [server],
    urls: [server.url],
    command: (args) => handOver(options.dataDirectory, args),
    disturbances: [],
    over,
    faults: disk
      ? [
          [
            'the disk is full',
            async (random) => {
              disk.fill()
              await setTimeout(random.between(500, 4_000))
              disk.free()
            },
          ],
        ]
      : [],
    async inspect(work) {
      await server.pause()
      try {
        const database = await openEmbedded(databaseDirectory)
        return await work(database).finally(() => database.close())
      } finally {
        await server.resume()
      }
    },
    close: () => server.stop(),
  }
}
