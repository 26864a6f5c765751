import assert from 'node:assert/strict'
import { chmod, mkdir, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { startServer, temporaryFolder } from '../../support/process.ts'
import { createAuthority } from '../../support/tls.ts'

test('a data directory open to others is closed to them, and settings that widen trust are logged as warnings', async () => {
  await using folder = await temporaryFolder()
  const directory = join(folder.path, 'data')
  await mkdir(directory)
  await chmod(directory, 0o755)
  const file = join(folder.path, 'ca.pem')
  await writeFile(file, createAuthority('Another authority').ca)
  await using server = await startServer({ DATA_DIR: directory, NODE_EXTRA_CA_CERTS: file })
  assert.equal((await stat(directory)).mode & 0o777, 0o700)
  await server.printed('NODE_EXTRA_CA_CERTS IS SET')
  await server.stop()
})

test('links of candidates that lead nowhere are logged as a warning, others are not', async () => {
  await using folder = await temporaryFolder()
  const warning = 'INTERVIEW_URL is not set and SANDBOX is off'
  const start = async (environment: Record<string, string>) => {
    await using server = await startServer({ DATA_DIR: join(folder.path, 'data'), ...environment })
    return (await server.stop()).stdout
  }
  const outputs = [
    await start({ SANDBOX: 'false' }),
    await start({ SANDBOX: 'true' }),
    // A proxy may send the page's path to the interview product.
    await start({
      APP_URL: 'https://interviews.example',
      SANDBOX: 'false',
      INTERVIEW_URL: 'https://interviews.example/interview/{token}',
    }),
  ]
  assert.deepEqual(
    outputs.map((stdout) => stdout.includes(warning)),
    [true, false, false],
  )
})
