import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Database, openPostgres } from '../server/database/database.ts'
import { sharedPostgres } from './postgres.ts'
import { type Environment, postgresEnvironment, temporaryFolder } from './process.ts'
import { type Receiver, startReceiver } from './receiver.ts'

export type DeliverySite = {
  receiver: Receiver
  database: Database
  /** Of servers on that database that may deliver to the receiver. */
  environment: Environment
  close(): Promise<void>
}

/** An empty database and a receiver, for servers in processes of their own. */
export async function openDeliverySite(): Promise<DeliverySite> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(await temporaryFolder())
  const receiver = await startReceiver()
  stack.defer(() => receiver.close())
  const authority = join(folder.path, 'ca.pem')
  await writeFile(authority, receiver.ca)
  const url = await (await sharedPostgres()).createDatabase()
  const database = openPostgres({ url, connections: 2 })
  stack.defer(() => database.close())
  const environment = {
    ...postgresEnvironment(url),
    DESTINATION_ALLOW_CIDRS: '127.0.0.0/8',
    DESTINATION_CA_FILE: authority,
  }
  const opened = stack.move()
  return { receiver, database, environment, close: () => opened.disposeAsync() }
}
