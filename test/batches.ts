import { basename, dirname } from 'node:path'

/** Splits files into fast and slow by name: `stop.slow.test.ts` is slow. */
export function bySpeed(files: string[]): { fast: string[]; slow: string[] } {
  const isSlow = (file: string) => file.endsWith('.slow.test.ts')
  return { fast: files.filter((file) => !isSlow(file)), slow: files.filter(isSlow) }
}

export type Batch = { name: string; files: string[] }

/**
 * Files in one folder share a process, because loading the service and warming up the embedded database takes longer than
 * most files. Large folders come first, so that none of them is left running alone at the end.
 */
export function batches(files: string[]): Batch[] {
  const folders = Map.groupBy(files, (file) => dirname(file))
  return [...folders]
    .map(([folder, inFolder]) => ({ name: basename(folder), files: inFolder }))
    .sort((a, b) => b.files.length - a.files.length)
}
