import {knownPaths, namedPaths} from '../../advice/diagnosis/page.ts'
import type {CheckedSite, SiteTool} from '../../advice/diagnosis/site.ts'
import type {TypedPage} from '../../schemas/rules/paths/page.ts'
import {matchesPath, type PathPattern} from '../../schemas/rules/paths/pathPattern.ts'

/** Paths to propose for a page, the best one first: of the tool, then of the whole site. */
export function proposePaths(site: CheckedSite, tool: SiteTool | undefined): string[] {
  const known = knownPaths(site)
  const pattern = tool?.now.verdict.place?.pattern
  if (pattern === undefined) return known
  const named = namedPaths(pattern)
  const matching = known.filter((path) => matchesPath(pattern, path))
  return [...new Set([...named, ...matching, ...(named.length === 0 ? startOf(pattern) : []), ...known])]
}

/** For a pattern like "/products/*", the part that does not vary: an editor completes it. */
function startOf({globs}: PathPattern): string[] {
  return globs.map(({text}) => text.slice(0, text.search(/[*?]/)))
}

/** A page of a site with a hash router, as somebody typed it: “/cart”, “#/cart” or “/shop#!/cart”. */
export function splitHash(typed: string): readonly [before: string, route: string] {
  const [, before, route] = /^([^#]*)#!?(\/.*)$/s.exec(typed.trim()) ?? []
  return route === undefined ? ['/', typed] : [before || '/', route]
}

/** The page at a path of an address. @param route the page of its hash router; undefined: it has none */
export function pageUrl(address: string, {path, query}: TypedPage, route?: TypedPage): string {
  const url = new URL(address)
  if (route !== undefined) url.hash = route.path + route.query
  // Setters cannot change the host, whatever the path begins with.
  url.pathname = path
  url.search = query
  return url.href
}
