import type {Glob, Segment} from './glob.ts'
import {normalizePath} from './normalizePath.ts'

/**
 * The pages of a tool, normalised like paths, with expanded braces. `literals` are exact paths.
 */
export type PathPattern = {readonly source: string; readonly literals: string[]; readonly globs: Glob[]}

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
export function compileGlob({head, tail}: Glob): (path: string) => boolean {
  return (path) => {
    // The rest of the path is between `start` and `end`; it is empty once they have crossed.
    let start = path === '/' ? 2 : 1
    let end = path.length
    for (const segment of head) {
      if (start > end) return false
      const slash = path.indexOf('/', start)
      const stop = slash < 0 ? end : slash
      if (!matchesSegment(segment, path, start, stop)) return false
      start = stop + 1
    }
    if (tail === undefined) return start > end
    for (const segment of tail) {
      if (start > end) return false
      const begin = path.lastIndexOf('/', end - 1) + 1
      if (!matchesSegment(segment, path, begin, end)) return false
      end = begin - 1
    }
    return true
  }
}

/** Whether a segment of a glob matches the part of a path between two indexes. */
function matchesSegment(segment: Segment, path: string, from: number, to: number): boolean {
  const length = to - from
  if (typeof segment === 'string') return segment.length === length && path.startsWith(segment, from)
  const {start, end} = segment
  if (end === undefined) return start.length === length && matchesAt(start, path, from)
  if (start === '' && end === '') return length > 0
  return (
    length >= start.length + end.length &&
    matchesAt(start, path, from) &&
    matchesAt(end, path, to - end.length)
  )
}

const ANY_UNIT = '?'.charCodeAt(0)

/** Whether a part of a segment, in which `?` stands for any character, matches the path at `offset`. */
function matchesAt(part: string, path: string, offset: number): boolean {
  for (let index = 0; index < part.length; index += 1) {
    const unit = part.charCodeAt(index)
    if (unit !== path.charCodeAt(offset + index) && unit !== ANY_UNIT) return false
  }
  return true
}
