import {accept, type Parsed, refuse} from './parsed.ts'

/**
 * How long pages and caches may use a config after the service validated it, in seconds (docs/specification.md, “Caching”).
 * deploy/nginx/handrail.conf divides it between nginx and browsers, and names it.
 */
export const MAX_AGE = 60

/** The default interval between two polls of the snippet, in seconds. */
export const DEFAULT_POLL_INTERVAL = 300

export const SHORTEST = 10
export const LONGEST = 86_400

/** Seconds between two polls: short enough to see a change within a day, long enough to limit the load. */
export function parsePollInterval(value: unknown): Parsed<number> {
  if (value === undefined || value === null) return accept(DEFAULT_POLL_INTERVAL)
  if (typeof value !== 'number' || !Number.isInteger(value))
    return refuse('The poll interval must be a whole number of seconds.')
  if (value < SHORTEST) return refuse(`The poll interval must be at least ${SHORTEST} seconds.`)
  if (value > LONGEST) return refuse(`The poll interval must be at most ${LONGEST} seconds (one day).`)
  return accept(value)
}
