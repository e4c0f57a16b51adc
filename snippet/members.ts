/** An object from the page, a script or the network: each of its members may be anything. */
export type Members = {readonly [name: string]: unknown}

export function isObject(value: unknown): value is Members {
  return typeof value === 'object' && !!value
}

/** The members of an object, and none of anything else. */
export function membersOf(value: unknown): Members {
  return isObject(value) ? value : {}
}
