import type {OfferedWhile} from '../../schemas/fields/offeredWhile.ts'
import {matchesPath, normalizePath, type PathPattern} from '../../schemas/rules/paths/pathPattern.ts'
import type {Reason} from './reasons.ts'
import type {CheckedSite, SiteTool, ToolRevision} from './site.ts'

/** A tool on a page. */
export type ToolOnPage = SiteTool & {
  /** Why it is not offered, the most important reason first. Empty: it is offered. */
  readonly reasons: readonly Reason[]
  /** The same if its draft were published. Undefined: there is no draft. */
  readonly reasonsAfter?: readonly Reason[]
}

/**
 * Says for every tool of a site whether a page offers it, and why not, from the same rules as the service.
 * @param path as a page reports it. Undefined: whether the tool is offered on any page, whatever its pattern.
 * @param now milliseconds since 1970
 */
export function diagnosePage(site: CheckedSite, path: string | undefined, now: number = Date.now()) {
  const page = path === undefined ? undefined : normalizePath(path)
  const reasonsFor = ({reasons, verdict}: ToolRevision): Reason[] => [
    ...reasons,
    ...(page === undefined ? [] : patternReasons(verdict.place?.pattern, page)),
    ...timeReasons(verdict.conditions, now),
    ...site.reasons,
  ]
  return {
    /** As patterns see it, without query and fragment. Undefined: any page. */
    path: page,
    /** Why no tool at all is offered. */
    siteReasons: site.reasons,
    tools: site.tools.map(
      (tool): ToolOnPage => ({
        ...tool,
        reasons: reasonsFor(tool.now),
        ...(tool.after && {reasonsAfter: reasonsFor(tool.after)}),
      }),
    ),
  }
}

/** A tool whose pattern is invalid has that as its reason already. */
function patternReasons(pattern: PathPattern | undefined, page: string): Reason[] {
  if (pattern === undefined || matchesPath(pattern, page)) return []
  return [{code: 'noMatch', pattern: pattern.source, page}]
}

function timeReasons(conditions: OfferedWhile | undefined, now: number): Reason[] {
  const {from, until} = conditions ?? {}
  if (until !== undefined && now >= until) return [{code: 'over', time: until}]
  return from !== undefined && now < from ? [{code: 'early', time: from}] : []
}

/** Paths for which it is interesting to ask: those that the patterns name, without those with wildcards. */
export function knownPaths({tools}: CheckedSite): string[] {
  const patterns = tools.flatMap(({now, after}) => [now.verdict.place, after?.verdict.place])
  const paths = patterns.flatMap((place) => (place === undefined ? [] : namedPaths(place.pattern)))
  return [...new Set(paths)].sort()
}

/** The paths that a pattern names: those without wildcards first. */
export function namedPaths({literals, globs}: PathPattern): string[] {
  // "/products/**" matches "/products" too.
  const bases = globs
    .filter(({head, tail}) => tail?.length === 0 && head.every((segment) => typeof segment === 'string'))
    .map(({text}) => text.slice(0, -'/**'.length) || '/')
  return [...literals, ...bases]
}
