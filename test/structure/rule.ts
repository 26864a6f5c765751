import type { Import, Source } from './sources.ts'

export type Rule = {
  name: string
  /** The violations, in words. */
  violations(sources: Source[], imports: Import[]): string[]
  /** Sample violations, each of one or more files. They prove that the rule can fail. */
  broken: Source[][]
}

/** Only some files may import a module. */
export function only(
  name: string,
  { modules, within, broken }: { modules: RegExp; within: RegExp; broken: Source[][] },
): Rule {
  return {
    name,
    violations: (_sources, imports) =>
      imports
        .filter(({ from, to, ours }) => !ours && modules.test(to) && !within.test(from))
        .map(({ from, to }) => `${from} imports ${to}`),
    broken,
  }
}

/** Some files may import nothing from others, not even a type. */
export function apart(
  name: string,
  { files, from: others, broken }: { files: RegExp; from: RegExp; broken: Source[][] },
): Rule {
  return {
    name,
    violations: (_sources, imports) =>
      imports
        .filter(({ from, to, ours }) => ours && files.test(from) && others.test(to))
        .map(({ from, to }) => `${from} imports ${to}`),
    broken,
  }
}
