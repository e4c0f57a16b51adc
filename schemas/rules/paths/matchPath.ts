import {normalizePath} from './normalizePath.ts'

/**
 * The pages of a tool, normalised like paths, with expanded braces.
 * `literals` are exact paths. In `globs`, `*`, `**` and `?` are wildcards and all other characters are
 * literal.
 */
export type PathPattern = {source: string; literals: string[]; globs: string[]}

/**
 * Makes a function that returns whether a normalised path matches the pattern.
 *
 * `*` alone in a segment matches one or more characters, elsewhere any number; `**` matches any number of
 * segments, including none, so `/products/**` covers `/products`. `?` is one UTF-16 code unit. Neither `*`
 * nor `?` matches a slash. Everything else is literal: a leading dot, a line break, `.` and `..`, an empty
 * segment.
 *
 * picomatch gives the same results except for three cases in which it contradicts itself (listed in
 * test/support/patterns.ts). But its regular expressions backtrack for every `*`: 23 ms for one pattern of
 * 158 characters. With at most one `*` in a segment and one `**`, no backtracking is needed.
 */
export function compilePathPattern(pattern: PathPattern): (normalizedPath: string) => boolean {
  const literals = new Set(pattern.literals)
  const globs = pattern.globs.map(compileGlob)
  return (path) => literals.has(path) || globs.some((matches) => matches(path))
}

/** Whether a path, as reported by a page, matches the pattern. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return compilePathPattern(pattern)(normalizePath(path))
}

/**
 * Makes a function that returns whether a normalised path matches one of a pattern's `globs`.
 *
 * The parts before `**` are compared from the start of the path, those after it from its end, so no part of
 * the path is compared twice, and most of a long path not at all.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const parts = glob.slice(1).split('/')
  const globstar = parts.indexOf('**')
  const head = globstar < 0 ? parts : parts.slice(0, globstar)
  const tail = globstar < 0 ? [] : parts.slice(globstar + 1).reverse()
  return (path) => {
    // The rest of the path is between `start` and `end`; it is empty once they have crossed.
    let start = path === '/' ? 2 : 1
    let end = path.length
    for (const part of head) {
      if (start > end) return false
      const slash = path.indexOf('/', start)
      const stop = slash < 0 ? end : slash
      if (!matchesSegment(part, path, start, stop)) return false
      start = stop + 1
    }
    if (globstar < 0) return start > end
    for (const part of tail) {
      if (start > end) return false
      const begin = path.lastIndexOf('/', end - 1) + 1
      if (!matchesSegment(part, path, begin, end)) return false
      end = begin - 1
    }
    return true
  }
}

function matchesSegment(part: string, path: string, start: number, end: number): boolean {
  const length = end - start
  if (part === '*') return length > 0
  const star = part.indexOf('*')
  if (star < 0) return part.length === length && matchesAt(part, 0, length, path, start)
  return (
    length >= part.length - 1 &&
    matchesAt(part, 0, star, path, start) &&
    matchesAt(part, star + 1, part.length, path, end - (part.length - star - 1))
  )
}

const ANY_UNIT = '?'.charCodeAt(0)

/** Whether the part between the indexes `from` and `to` matches the path at `offset`. */
function matchesAt(part: string, from: number, to: number, path: string, offset: number): boolean {
  for (let index = from; index < to; index += 1) {
    const unit = part.charCodeAt(index)
    if (unit !== path.charCodeAt(offset + index - from) && unit !== ANY_UNIT) return false
  }
  return true
}
