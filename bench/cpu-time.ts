import { readdirSync, readFileSync } from 'node:fs'

type Process = { pid: number; parent: number; milliseconds: number }

// The unit of /proc on every Linux.
const millisecondsPerTick = 10

/**
 * The CPU time that a process and its descendants have used so far, in milliseconds, including ended descendants. NaN
 * without /proc.
 */
export function cpuTime(root: number): number {
  let before = processTree(root)
  // The time of a process that ends while the others are read would be counted nowhere.
  for (let after = processTree(root); ; before = after, after = processTree(root)) {
    if (before.length === 0) return Number.NaN
    if (isSameTree(before, after)) return after.reduce((sum, { milliseconds }) => sum + milliseconds, 0)
  }
}

export function parentOf(pid: number): number {
  const parent = readProcess(pid)?.parent
  if (parent === undefined) throw new Error(`There is no process ${pid} in /proc`)
  return parent
}

function processTree(root: number): Process[] {
  const processes = processIds().flatMap((pid) => readProcess(pid) ?? [])
  const tree = processes.filter(({ pid }) => pid === root)
  for (const { pid } of tree) tree.push(...processes.filter(({ parent }) => parent === pid))
  return tree
}

function isSameTree(one: Process[], other: Process[]): boolean {
  return one.length === other.length && one.every(({ pid }, index) => pid === other[index]?.pid)
}

function processIds(): number[] {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .map(Number)
  } catch {
    return []
  }
}

function readProcess(pid: number): Process | null {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    // The name in parentheses can contain anything. After it come the state, the parent and, further on, user and system
    // time of the process and of its ended children.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0)
    return { pid, parent: Number(fields[1]), milliseconds: ticks * millisecondsPerTick }
  } catch {
    return null // has just ended
  }
}
