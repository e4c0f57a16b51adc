import {normalizePath} from './normalizePath.ts'

/**
 * The pages a tool belongs to, normalised as paths are, with braces written out.
 * `literals` are exact paths. In `globs`, `*`, `**` and `?` are wildcards and every other character is itself.
 */
export type PathPattern = {source: string; literals: string[]; globs: string[]}

/**
 * A function that says whether a normalised path is one of the pattern's pages.
 *
 * `*` alone in a segment stands for one character or more, elsewhere for any number; `**` for any number of
 * segments, none included, so `/products/**` covers `/products`. `?` is one UTF-16 code unit. Neither `*` nor `?`
 * is ever a slash. All else is ordinary: a leading dot, a line break, `.` and `..`, the nothing between two slashes.
 *
 * picomatch gives the same answers, but for three where it contradicts itself (test/support/patterns.ts names them). Its regular
 * expressions try every end of every `*`, though: 23 ms for one pattern of 158 characters. With one `*` a segment and
 * one `**`, there is nothing to try.
 */
export function compilePathPattern(pattern: PathPattern): (normalizedPath: string) => boolean {
  const literals = new Set(pattern.literals)
  const globs = pattern.globs.map(compileGlob)
  return (path) => literals.has(path) || globs.some((matches) => matches(path))
}

/** Whether a path, as a page reports it, is one of the pattern's pages. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return compilePathPattern(pattern)(normalizePath(path))
}

/**
 * A function that says whether a normalised path matches one of a pattern's `globs`.
 *
 * The parts before `**` are held against the path from its beginning, those after it from its end, so that no part of
 * the path is looked at twice, and most of a long one not at all.
 */
export function compileGlob(glob: string): (path: string) => boolean {
  const parts = glob.slice(1).split('/')
  const globstar = parts.indexOf('**')
  const head = globstar < 0 ? parts : parts.slice(0, globstar)
  const tail = globstar < 0 ? [] : parts.slice(globstar + 1).reverse()
  return (path) => {
    // What is left of the path is from `start` to `end`; nothing is when they have passed each other.
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

/** Whether the part from index `from` until index `to` matches the path at `offset`. */
function matchesAt(part: string, from: number, to: number, path: string, offset: number): boolean {
  for (let index = from; index < to; index += 1) {
    const unit = part.charCodeAt(index)
    if (unit !== path.charCodeAt(offset + index - from) && unit !== ANY_UNIT) return false
  }
  return true
}
