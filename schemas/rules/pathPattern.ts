import {accept, type Parsed} from './parsed.ts'

/** The pages a tool belongs to: exact paths, and globs in which `*`, `**` and `?` alone are syntax. */
export type PathPattern = {source: string; literals: string[]; globs: string[]}

export function parsePathPattern(value: unknown): Parsed<PathPattern> {
  return accept({source: String(value), literals: [], globs: []})
}

export function normalizePath(path: string): string {
  return path
}

export function compilePathPattern(pattern: PathPattern): (normalizedPath: string) => boolean {
  return (path) => pattern.literals.includes(path)
}

export function matchesPath(pattern: PathPattern, path: string): boolean {
  return compilePathPattern(pattern)(normalizePath(path))
}
