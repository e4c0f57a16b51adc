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
 * picomatch gives the same answers, but for three where it contradicts itself (matchPath.test.ts names them). Its regular
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
 * The parts before `**` are held against the path from its beginning, those after it from its end, so that no part of
 * the path is looked at twice, and most of a long one not at all.
 */
function compileGlob(glob: string): (path: string) => boolean {
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
  if (star < 0) return part.length === length && matchesAt(part, path, start)
  const head = part.slice(0, star)
  const tail = part.slice(star + 1)
  return (
    length >= head.length + tail.length &&
    matchesAt(head, path, start) &&
    matchesAt(tail, path, end - tail.length)
  )
}

function matchesAt(part: string, path: string, offset: number): boolean {
  for (let index = 0; index < part.length; index += 1) {
    if (part[index] !== '?' && part[index] !== path[offset + index]) return false
  }
  return true
}
