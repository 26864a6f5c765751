import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { type Browser, chromium, type LaunchOptions } from 'playwright-core'

const run = promisify(execFile)

// Unpacked and started for the first time on a busy machine.
const launchTimeout = 5 * 60_000

/** A real headless Chromium: the one from npm where it runs, otherwise the installed Chrome. */
export async function openBrowser(): Promise<Browser> {
  const args = [
    ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--force-color-profile=srgb'],
    ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
  ]
  const packaged = process.platform === 'linux' && process.arch === 'x64'
  const source: LaunchOptions = packaged ? await fromPackage() : { channel: 'chrome' }
  return chromium.launch({ args, timeout: launchTimeout, ...source })
}

async function fromPackage(): Promise<LaunchOptions> {
  const folder = await browserFolder()
  return {
    executablePath: join(folder, 'chromium'),
    env: {
      PATH: process.env.PATH,
      HOME: process.env.HOME,
      // Set only for the browser: in our own environment these libraries would replace those of other programs.
      LD_LIBRARY_PATH: join(folder, 'al2023', 'lib'),
      FONTCONFIG_FILE: join(folder, 'fonts.conf'),
    },
  }
}

/** Returns the browser's folder, unpacking it once per version of the browser and of its monospace font. */
async function browserFolder(): Promise<string> {
  const home = dirname(dirname(fileURLToPath(import.meta.resolve('@sparticuz/chromium'))))
  const monospace = dirname(fileURLToPath(import.meta.resolve('@expo-google-fonts/dm-mono')))
  const cache = join(import.meta.dirname, '..', 'node_modules', '.cache')
  const folder = join(cache, `chromium-${await versionOf(home)}-${await versionOf(monospace)}`)
  if (existsSync(folder)) return folder

  await mkdir(cache, { recursive: true })
  // Renamed into place: another test may need the browser at the same time, and a file that is still open for writing
  // can't be executed.
  const staging = await mkdtemp(join(cache, 'chromium-staging-'))
  await unpackInto(staging, join(home, 'bin'))
  await writeFile(join(staging, 'fonts.conf'), fontConfiguration(join(folder, 'fonts'), monospace))
  await rename(staging, folder).catch(async (error) => {
    await rm(staging, { recursive: true })
    if (!existsSync(folder)) throw error
  })
  return folder
}

async function versionOf(home: string): Promise<string> {
  return JSON.parse(await readFile(join(home, 'package.json'), 'utf8')).version
}

/** Runs the package's own code, which always unpacks into the temporary folder, with TMPDIR set to ours. */
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

/**
 * The package's own configuration names a fixed folder. Where that is missing, pages would render without text. It also
 * brings no monospace font.
 */
function fontConfiguration(folder: string, monospace: string): string {
  return `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
  <dir>${folder}</dir>
  <dir>${join(monospace, '400Regular')}</dir>
  <cachedir>${join(folder, 'cache')}</cachedir>
  <alias binding="strong">
    <family>sans-serif</family>
    <prefer><family>Open Sans</family></prefer>
  </alias>
  <alias binding="strong">
    <family>monospace</family>
    <prefer><family>DM Mono</family></prefer>
  </alias>
</fontconfig>
`
}
