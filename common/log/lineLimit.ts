import {LRUCache} from 'lru-cache'

/** Maximum kinds of lines to remember. */
const MAX_KINDS = 1_000

/**
 * Limits how often a line is logged.
 * @param interval minimum milliseconds between two lines of the same kind
 * @returns whether a line of a kind is due
 */
export function limitLines(interval: number): (kind: string) => boolean {
  const logged = new LRUCache<string, true>({max: MAX_KINDS, ttl: interval})
  return (kind) => {
    if (logged.has(kind)) return false
    logged.set(kind, true)
    return true
  }
}
