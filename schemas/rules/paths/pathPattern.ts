import {webAddress} from '../origin.ts'
import {accept, type Parsed, refuse} from '../parsed.ts'
import {parseText, showCharacter} from '../text.ts'
import {expandBraces} from './braces.ts'
import {type Glob, parseGlob} from './glob.ts'
import type {PathPattern} from './matchPath.ts'
import {addSlashes, decodePath} from './normalizePath.ts'

export {compilePathPattern, matchesPath, type PathPattern} from './matchPath.ts'
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
    const isGlob = /[*?]/.test(alternative)
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

/** The path of an address that was copied from a browser, as a pattern; undefined for other texts. */
export function pathOfAddress(typed: string): string | undefined {
  const url = webAddress(typed)
  if (url === undefined) return undefined
  // The address has escapes for braces and other letters, which are easier to read without.
  const decoded = decodePath(url.pathname)
  return parsePathPattern(decoded).ok ? decoded : url.pathname
}

function findForeignSyntax(pattern: string): string | undefined {
  if (pattern !== pattern.trim())
    return 'The path pattern begins or ends with a space or line break: remove it.'
  if (/^[a-z][a-z0-9+.-]*:\/\//i.test(pattern)) {
    const path = pathOfAddress(pattern) ?? '/products/**'
    return `The path pattern is a full address: keep only the part after the host name, "${path}".`
  }
  if (/^['"`]/.test(pattern))
    return 'The path pattern begins with a quotation mark: remove it, and the one at its end.'
  if (pattern.includes('#'))
    return refusal('#', 'Browsers do not send it and the part after it: remove both.')
  if (/(^|[/{,])!/.test(pattern)) return refusal('!', 'List the pages to match instead.', 'begin with')
  // Elsewhere, brackets are ordinary characters: "/wiki/Foo_(bar)".
  const [group] = /[@!+?*]\(|\(\?|\(\.?[*+]\)/.exec(pattern) ?? []
  if (group !== undefined)
    return `"${group}" is not special in a path pattern. ${INSTEAD} If the address really contains brackets, type "%28" and "%29".`
  const [character = ''] = pattern.match(/[[\]|\\"`\p{Cc}]/u) ?? []
  if (character === '') return undefined
  return refusal(character, REMEDIES[character] ?? 'Remove it.')
}

const INSTEAD = 'Use "*" for one part of the path, "**" for several, and "{a,b}" for alternatives.'

/** What people mean with a character that patterns do not have. */
const REMEDIES: Readonly<Record<string, string>> = {
  '[': INSTEAD,
  ']': INSTEAD,
  '|': 'List alternatives as in "{a,b}".',
  '\\': 'Browsers replace it by "/": type that.',
}

function refusal(character: string, remedy: string, cannot = 'contain'): string {
  const escaped = encodeURIComponent(character).replace('!', '%21')
  const problem = `A path pattern cannot ${cannot} ${showCharacter(character)}. ${remedy}`
  if (/\p{Cc}/u.test(character)) return problem
  return `${problem} If the address of the page really contains it, type "${escaped}".`
}

/** Escapes are decoded after wildcards are found: in a glob, a decoded `*` would look like a wildcard. */
function findDecodedProblem(typed: string, path: string, isGlob: boolean): string | undefined {
  if (/\p{Cc}/u.test(path))
    return 'A path pattern cannot contain escaped control characters: use "?" for that character.'
  if (/\/\.{1,2}(?:\/|$)/.test(path))
    return 'Browsers remove "." and ".." from addresses: type the path as the address bar shows it.'
  if (isGlob && countOf(path, /\*/g) !== countOf(typed, /\*/g))
    return 'A path pattern with wildcards cannot contain "%2A": use "?" for that character.'
  return undefined
}

function countOf(text: string, what: RegExp): number {
  return text.match(what)?.length ?? 0
}
