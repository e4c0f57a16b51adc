// In a file without imports, the build replaces constants by their values.

/** Milliseconds for which changes of the page are collected before it is searched once. */
export const PAUSE = 200

/**
 * Milliseconds. Each time that a script of the page removes the name of a form tool, the tool needs half of `PAUSE` without
 * that; it ends when it needs more than these.
 */
export const LONGEST_REST = 5_000

/** Milliseconds after a navigation until a form that is not in the page counts as missing. */
export const IDLE_AFTER = 5_000

/** Milliseconds without a change of the path, after which further changes are followed: some pages write their state into it. */
export const PATH_REST = 150

/** Seconds until the first retry after a failure. Doubles after each failure, up to this maximum. */
export const FIRST_RETRY = 5
export const LAST_RETRY = 300

/** Upper bound for a `Retry-After`, in seconds. */
export const LONGEST_WAIT = 3_600

/** Milliseconds after tools were registered until the module that calls them is loaded. A call loads it at once. */
export const LOAD_CALLS_AFTER = 2_000

/** Milliseconds for which a config in the HTML is fresh: the `max-age` of the endpoint (schemas/rules/pollInterval.ts). */
export const MAX_AGE = 60_000

/** Timeout of a complete config, in milliseconds. */
export const TIMEOUT = 10_000
