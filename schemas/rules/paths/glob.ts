import picomatch from 'picomatch'
import {accept, type Parsed, refuse} from '../parsed.ts'

/** A glob, parsed into segments once: matching a path only compares. */
export type Glob = {
  /** In the text, `*`, `**` and `?` are wildcards and all other characters are literal. */
  readonly text: string
  /** The segments before `**`, or all of them. */
  readonly head: readonly Segment[]
  /** The segments after `**`, the last one first. Undefined without `**`. */
  readonly tail: readonly Segment[] | undefined
}

/** A segment without wildcards is a string. */
export type Segment = string | WildSegment

type WildSegment = {
  /** What is before the `*`, or the whole segment if it has none. `?` stands for one character. */
  readonly start: string
  /** What is after the `*`. */
  readonly end: string | undefined
}

/** Characters that picomatch would read as syntax, and `%`, by which they are escaped. */
const SYNTAX = /[%\\{}[\]()]/g

/**
 * Splits a normalised path with wildcards into segments, as picomatch reads it. Refuses globs that a matcher
 * could not match without backtracking.
 */
export function parseGlob(text: string): Parsed<Glob> {
  // picomatch skips the slashes after an escaped brace, so such characters are percent-encoded instead.
  const escaped = text.replace(SYNTAX, (character) => `%${character.charCodeAt(0).toString(16)}`)
  const {parts = [], tokens = []} = picomatch.scan(escaped, {tokens: true})
  const unescaped = (part: string) => (escaped === text ? part : decodeURIComponent(part))
  const head: Segment[] = []
  let tail: Segment[] | undefined
  // The first part is what is before the leading slash.
  for (let at = 1; at < parts.length; at += 1) {
    const part = unescaped(parts[at] ?? '')
    const {isGlob, isGlobstar} = tokens[at] ?? {}
    if (part === '**') {
      if (tail !== undefined)
        return refuse(`A path pattern can have one "**", but there is "${text}": keep one of them.`)
      tail = []
      continue
    }
    if (isGlobstar === true)
      return refuse(`"**" must be a whole part between slashes, but there is "${part}": use "*" there.`)
    const [start = '', end, more] = isGlob === true ? part.split('*') : [part]
    if (more !== undefined)
      return refuse(`There can be one "*" between two slashes, but there is "${part}": keep one of them.`)
    const segments = tail ?? head
    segments.push(isGlob === true ? {start, end} : part)
  }
  return accept({text, head, tail: tail?.reverse()})
}
