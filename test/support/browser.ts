import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const run = promisify(execFile)

/** A real Chromium without a window: the one from npm where that one runs, otherwise the Chrome of the machine. */
export async function openBrowser(): Promise<Browser> {
  const args = [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--force-color-profile=srgb'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ]
  const packaged = process.platform === 'linux' && process.arch === 'x64'
  const where: LaunchOptions = packaged ? await fromPackage() : { channel: 'chrome' }
  return chromium.launch({ args, ...where })
}

async function fromPackage(): Promise<LaunchOptions> {
  const folder = await unpacked()
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Meant for the browser alone: in our own environment these libraries would replace those of other programs.
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/** The folder that holds the browser, unpacked once for each version of the package. */
async function unpacked(): Promise<string> {
  const home = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))))
  const { version } = JSON.parse(await readFile(join(home, 'package.json'), 'utf8'))
  const cache = join(import.meta.dirname, '..', '..', 'node_modules', '.cache')
  const folder = join(cache, `chromium-${version}`)
  if (existsSync(folder)) return folder

  await mkdir(cache, { recursive: true })
  // Moved into place whole: another test may want the browser at the same moment, and a file still open for writing cannot run.
  const staging = await mkdtemp(join(cache, 'chromium-staging-'))
  await unpackInto(staging, join(home, 'bin'))
  await writeFile(join(staging, 'fonts.conf'), fontsIn(join(folder, 'fonts')))
  await rename(staging, folder).catch(async (error) => {
    await rm(staging, { recursive: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

/** By the package's own code, which unpacks into the folder for temporary files: so it gets one of its own. */
async function unpackInto(folder: string, archives: string): Promise<void> {
  const files = ['chromium.br', 'fonts.tar.br', 'al2023.tar.br'].map((name) => join(archives, name))
  const script = `
    import { inflate } from '@sparticuz/chromium'
    await Promise.all(${JSON.stringify(files)}.map((file) => inflate(file)))`
  await run(process.execPath, ['--input-type=module', '--eval', script], {
    cwd: import.meta.dirname,
    env: { PATH: process.env.PATH, TMPDIR: folder },
  })
}

/** The package's own settings name a fixed folder; where that is missing, pages would show no text at all. */
function fontsIn(folder: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
</fontconfig>
`
}
