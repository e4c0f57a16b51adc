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
 * picomatch gives the same answers (test/schemas/rules/matchPath.test.ts), but its regular expressions try every end
 * of every `*`: 23 ms for one pattern of 158 characters. Here one `*` a segment and one `**` leave nothing to try.
 */
export function compilePathPattern(pattern: PathPattern): (normalizedPath: string) => boolean {
  const literals = new Set(pattern.literals)
  const globs = pattern.globs.map(compileGlob)
  return (path) => {
    if (literals.has(path)) return true
    if (globs.length === 0) return false
    const segments = segmentsOf(path)
    return globs.some((matches) => matches(segments))
  }
}

/** Whether a path, as a page reports it, is one of the pattern's pages. */
export function matchesPath(pattern: PathPattern, path: string): boolean {
  return compilePathPattern(pattern)(normalizePath(path))
}

function segmentsOf(normalizedPath: string): string[] {
  return normalizedPath === '/' ? [] : normalizedPath.slice(1).split('/')
}

function compileGlob(glob: string): (segments: string[]) => boolean {
  const parts = segmentsOf(glob)
  const globstar = parts.indexOf('**')
  const head = globstar < 0 ? parts : parts.slice(0, globstar)
  const tail = globstar < 0 ? [] : parts.slice(globstar + 1)
  const fixed = head.length + tail.length
  return (segments) => {
    if (globstar < 0 ? segments.length !== fixed : segments.length < fixed) return false
    const offset = segments.length - tail.length
    return (
      head.every((part, index) => matchesSegment(part, segments[index] ?? '')) &&
      tail.every((part, index) => matchesSegment(part, segments[offset + index] ?? ''))
    )
  }
}

function matchesSegment(part: string, segment: string): boolean {
  if (part === '*') return segment !== ''
  const star = part.indexOf('*')
  if (star < 0) return part.length === segment.length && matchesAt(part, segment, 0)
  const head = part.slice(0, star)
  const tail = part.slice(star + 1)
  return (
    segment.length >= head.length + tail.length &&
    matchesAt(head, segment, 0) &&
    matchesAt(tail, segment, segment.length - tail.length)
  )
}

function matchesAt(part: string, segment: string, offset: number): boolean {
  for (let index = 0; index < part.length; index += 1) {
    if (part[index] !== '?' && part[index] !== segment[offset + index]) return false
  }
  return true
}
