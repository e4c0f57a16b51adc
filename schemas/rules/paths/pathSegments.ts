import type {PathPattern} from './matchPath.ts'

/**
 * Maximum path segments in all patterns of a site, with braces expanded. They determine how long it takes to
 * build the service's index and to match the worst path, and other sites' requests must not wait for that.
 */
export const MAX_PATH_SEGMENTS = 100_000

/**
 * Counts the path segments of a pattern. The memory use of the service's index, its build time and the
 * worst-case time of a lookup all grow with them.
 */
export function countSegments({literals, globs}: PathPattern): number {
  return globs.reduce(
    (sum, {head, tail}) => sum + head.length + (tail ? 1 + tail.length : 0),
    literals.length,
  )
}
