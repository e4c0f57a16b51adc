import picomatch from 'picomatch'
import {accept, type Parsed, refuse} from '../parsed.ts'
import {parseText, showCharacter} from '../text.ts'
import {expandBraces} from './braces.ts'
import {type Glob, parseGlob} from './glob.ts'
import type {PathPattern} from './matchPath.ts'
import {addSlashes, decodePath} from './normalizePath.ts'

export {compileGlob, compilePathPattern, matchesPath, type PathPattern} from './matchPath.ts'
export {normalizePath} from './normalizePath.ts'

/**
 * A pattern for paths: `*` within a segment, `**` across segments, `?` for one character, `{a,b}` for
 * alternatives. Without wildcards it matches exactly one page.
 *
 * Visitors choose the path, and a backtracking matcher can take seconds for a malicious path if there are
 * several wildcards. So each alternative may have at most one `*` in a segment and at most one `**`, which
 * makes matching linear.
 */
export function parsePathPattern(value: unknown): Parsed<PathPattern> {
  const text = parseText(value, 'The path pattern', 256)
  if (!text.ok) return text
  const foreign = findForeignSyntax(text.value)
  if (foreign !== undefined) return refuse(foreign)
  const alternatives = expandBraces(text.value)
  if (!alternatives.ok) return alternatives

  const literals = new Set<string>()
  const globs = new Map<string, Glob>()
  for (const alternative of alternatives.value) {
    const {isGlob} = picomatch.scan(alternative)
    const path = addSlashes(decodePath(alternative))
    const problem = findDecodedProblem(alternative, path, isGlob)
    if (problem !== undefined) return refuse(problem)
    if (!isGlob) {
      literals.add(path)
      continue
    }
    const glob = parseGlob(path)
    if (!glob.ok) return glob
    globs.set(path, glob.value)
  }
  return accept({source: text.value, literals: [...literals], globs: [...globs.values()]})
}

function findForeignSyntax(pattern: string): string | undefined {
  if (pattern !== pattern.trim())
    return 'The path pattern begins or ends with a space or line break: remove it.'
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(pattern)) {
    return 'The path pattern is a full address: keep only the part after the host name, such as "/products/**".'
  }
  if (pattern.includes('#'))
    return 'A path pattern cannot contain "#": browsers do not send the part after it.'
  if (/(^|[/{,])!/.test(pattern))
    return 'A path pattern cannot begin with "!": list the pages to match instead.'
  const [character] = pattern.match(/[()[\]|\\"'`\p{Cc}]/u) ?? []
  if (character === undefined) return undefined
  return `A path pattern cannot contain ${showCharacter(character)}. The only special characters are "*", "**", "?" and "{a,b}".`
}

/** Escapes are decoded after wildcards are found: in a glob, a decoded `*` would look like a wildcard. */
function findDecodedProblem(typed: string, path: string, isGlob: boolean): string | undefined {
  if (/\p{Cc}/u.test(path)) return 'A path pattern cannot contain escaped control characters: remove them.'
  if (isGlob && countOf(path, /[*?\\]/g) !== countOf(typed, /[*?]/g)) {
    return 'A path pattern with wildcards cannot contain "%2A", "%3F" or "%5C": use "?" for that character.'
  }
  return undefined
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
