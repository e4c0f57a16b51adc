import {globSync, readFileSync} from 'node:fs'
import {join, posix} from 'node:path'

/** One import of a source file of the project; paths are relative to its root. */
export type Import = {readonly from: string; readonly to: string}

/** All TypeScript files of the project in `root`, relative to it. */
export function sourcesOf(root: string): string[] {
  return globSync('**/*.{ts,tsx}', {
    cwd: root,
    exclude: (path) => /(^|\/)(node_modules|dist|\.[^/]+)$/.test(path),
  })
}

/** The imports of these files among each other: also those of types, and `import()`. */
export function importsBetween(root: string, sources: readonly string[]): Import[] {
  const known = new Set(sources)
  return sources.flatMap((from) => {
    const text = readFileSync(join(root, from), 'utf8')
    const targets = [...text.matchAll(IMPORTED_PATHS)].map(([, , to = '']) =>
      posix.join(posix.dirname(from), to),
    )
    return targets.filter((to) => known.has(to)).map((to) => ({from, to}))
  })
}

const IMPORTED_PATHS = /\b(?:from|import)\s*\(?\s*(['"])(\.[^'"\n]+)\1/g

/** The files that import one of `changed`, directly or through others, with `changed` themselves. */
export function importersOf(changed: readonly string[], imports: readonly Import[]): Set<string> {
  const importers = Map.groupBy(imports, ({to}) => to)
  const found = new Set(changed)
  // A set iterates over what is added meanwhile.
  for (const path of found) for (const {from} of importers.get(path) ?? []) found.add(from)
  return found
}
