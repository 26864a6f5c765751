import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { eventually } from '../support/process.ts'
import type { Block } from './blocks.ts'
import { ended, type Terminal } from './terminal.ts'

export type Desk = {
  /** Opens a terminal in the folder where the reader of this document is. */
  open(): Promise<Terminal>
  /** The reader's own project, in which the SDK is installed. */
  project: string
  /** What stands in the documents, and what it is here: addresses, mostly. */
  here: [RegExp, string][]
  /** Where something listens once a block that stays has come up, by a text that is in such a block. */
  listening: [string, number][]
  /** What the reader has read before this document. */
  known(): string
}

export type Reader = {
  read(block: Block): Promise<void>
  /** The terminals the reader has opened, by name. */
  terminals: Map<string, Terminal>
}

/**
 * Does what a reader would do: types the blocks in their order, puts what was printed last in place of `org_…`, saves
 * files, and compares what comes with what the document shows.
 */
export function createReader(desk: Desk): Reader {
  const terminals = new Map<string, Terminal>()
  let printed = ''

  const shown = () => [desk.known(), ...[...terminals.values()].map((terminal) => terminal.shown())].join('\n')

  async function terminalOf({ terminal: name }: Block): Promise<Terminal> {
    const terminal = terminals.get(name) ?? (await desk.open())
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
    const port = desk.listening.find(([text]) => block.text.includes(text))?.[1]
    assert.ok(port, `${block.place} stays, but nobody knows where it listens`)
    await eventually(async () => terminal.shown().includes(ended) || (await accepts(port)))
    assert.ok(await accepts(port), `${block.place} does not listen:\n${terminal.shown()}`)
  }

  async function readBlock(block: Block): Promise<void> {
    const text = desk.here.reduce((all, [there, here]) => all.replaceAll(there, here), block.text)
    if (block.file) {
      writeFileSync(join(desk.project, block.file), text)
    } else if (block.language === 'sh') {
      await enter(block, await filled(text, shown))
    } else if (block.language === 'ts') {
      const program = join(desk.project, `${block.place.replace(/\W+/g, '-')}.mts`)
      writeFileSync(program, await filled(text, shown))
      await enter(block, `node '${program}'\n`)
    } else if (block.language === 'json') {
      assert.deepEqual(shapeOf(lastJson(printed)), shapeOf(JSON.parse(block.text)))
    } else if (block.language === 'text' && block.terminal !== 'main') {
      const terminal = await terminalOf(block)
      assert.ok(await eventually(async () => terminal.shown().includes(text)), `not shown: ${text}`)
    }
  }

  return {
    terminals,
    async read(block) {
      await readBlock(block).catch((error: unknown) => {
        throw new Error(`${block.place} does not work for a reader`, { cause: error })
      })
    },
  }
}

/** `org_…` becomes the id of that kind that was shown last; a program that has just been started may take a moment. */
async function filled(text: string, shown: () => string): Promise<string> {
  let result = text
  for (const [placeholder, prefix = ''] of text.matchAll(/\b([a-z]+(?:_live)?_)…/g)) {
    const id = new RegExp(
      `\\b${prefix}${/^(service_live|whsec)_$/.test(prefix) ? '[\\w.-]{16,}' : '[0-9a-z]{26}'}`,
      'g',
    )
    await eventually(async () => id.test(shown()))
    const last = shown().match(id)?.at(-1)
    assert.ok(last, `nothing was shown that could stand for ${placeholder}`)
    result = result.replaceAll(placeholder, last)
  }
  return result
}

function lastJson(printed: string): unknown {
  const line = printed.trim().split('\n').at(-1) ?? ''
  return JSON.parse(line)
}

/** What two answers to the same request have in common: the fields and their types; of an error, its text too. */
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
