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

/**
 * Limits how many lines are logged in a second.
 * @param now milliseconds of a clock that is never set
 * @returns a function that returns, if a line is due, how many were left out since the last one
 */
export function linesPerSecond(max: number, now = () => performance.now()): () => number | undefined {
  let second = Number.NaN
  let lines = 0
  let leftOut = 0
  return () => {
    const current = Math.floor(now() / 1_000)
    if (current !== second) lines = 0
    second = current
    lines += 1
    if (lines > max) {
      leftOut += 1
      return undefined
    }
    const before = leftOut
    leftOut = 0
    return before
  }
}
