import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../../support/process.ts'
import type { Block } from './blocks.ts'
import { ended, type Terminal } from './terminal.ts'

export type ReaderSetup = {
  /** Opens a terminal in the document's working folder. */
  open(): Promise<Terminal>
  /** The reader's project, which has the SDK installed. */
  project: string
  /** What to replace in a block, mostly addresses. */
  replacements: [RegExp, string][]
  /** How to tell that a block which stays is ready, by a text in the block: a port it listens on, or what it shows. */
  readiness: [string, number | string][]
  /** What the reader has seen before this document. */
  known(): string
}

export type Reader = {
  read(block: Block): Promise<void>
  /** The open terminals by name. */
  terminals: Map<string, Terminal>
}

/**
 * Does what a reader would do: types the blocks in order, fills in `org_…` with the last ID printed, saves files, and
 * compares responses with what the document shows.
 */
export function createReader(setup: ReaderSetup): Reader {
  const terminals = new Map<string, Terminal>()
  let printed = ''

  const shown = () => [setup.known(), ...[...terminals.values()].map((terminal) => terminal.shown())].join('\n')

  async function terminalOf({ terminal: name }: Block): Promise<Terminal> {
    const terminal = terminals.get(name) ?? (await setup.open())
    terminals.set(name, terminal)
    return terminal
  }

  async function enter(block: Block, lines: string): Promise<void> {
    const terminal = await terminalOf(block)
    if (!block.stays) {
      printed = await terminal.type(lines)
      return
    }
    await terminal.leaveRunning(lines)
    const sign = setup.readiness.find(([text]) => block.text.includes(text))?.[1]
    assert.ok(sign, `${block.place} stays, but the setup does not know when it is ready`)
    const isReady = async () => (typeof sign === 'number' ? accepts(sign) : terminal.shown().includes(sign))
    await eventually(async () => terminal.shown().includes(ended) || (await isReady()))
    assert.ok(await isReady(), `${block.place} is not ready:\n${terminal.shown()}`)
  }

  async function readBlock(block: Block): Promise<void> {
    const text = setup.replacements.reduce((all, [from, to]) => all.replaceAll(from, to), block.text)
    if (block.file) {
      writeFileSync(join(setup.project, block.file), text)
    } else if (block.language === 'sh') {
      await enter(block, await filled(text, shown))
    } else if (block.language === 'ts') {
      const program = join(setup.project, `${block.place.replace(/\W+/g, '-')}.mts`)
      writeFileSync(program, await filled(text, shown))
      await enter(block, `node '${program}'\n`)
    } else if (block.language === 'json') {
      const shown = block.text.replaceAll(elision, '')
      const [actual, expected] = [shapeOf(lastJson(printed)), shapeOf(JSON.parse(shown))]
      if (shown === block.text) assert.deepEqual(actual, expected)
      else assert.partialDeepStrictEqual(actual, expected)
    } else if (block.language === 'text' && block.terminal !== 'main') {
      const terminal = await terminalOf(block)
      assert.ok(await eventually(async () => terminal.shown().includes(text)), `not shown: ${text}`)
    }
  }

  return {
    terminals,
    async read(block) {
      await readBlock(block).catch((error: unknown) => {
        throw new Error(`${block.place} does not work`, { cause: error })
      })
    },
  }
}

/** Replaces `org_…` with the last such ID shown. A program that has just started may take a moment to show it. */
async function filled(text: string, shown: () => string): Promise<string> {
  let result = text
  for (const [placeholder, prefix = ''] of text.matchAll(/\b([a-z]+(?:_live)?_)…/g)) {
    const id = new RegExp(
      `\\b${prefix}${/^(service_live|whsec|listen)_$/.test(prefix) ? '[\\w.-]{16,}' : '[0-9a-z]{26}'}`,
      'g',
    )
    await eventually(async () => id.test(shown()))
    const last = shown().match(id)?.at(-1)
    assert.ok(last, `nothing shown matches ${placeholder}`)
    result = result.replaceAll(placeholder, last)
  }
  return result
}

/** `,…}`: the response has more fields than the document shows. */
const elision = /,\s*…\s*(?=\})/g

function lastJson(printed: string): unknown {
  const line = printed.trim().split('\n').at(-1) ?? ''
  return JSON.parse(line)
}

/** What two responses to the same request have in common: fields and types, and the texts of errors. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shapeOf)
  if (typeof value !== 'object' || value === null) return value === null ? null : typeof value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [name, name === 'error' ? inner : shapeOf(inner)]),
  )
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => resolve(true))
    socket.on('connect', () => socket.destroy())
    socket.on('error', () => resolve(false))
  })
}
