import {hash, randomBytes, timingSafeEqual} from 'node:crypto'

/** Makes a random secret of 256 bits for a session, a token or a link, safe in URLs, headers and cookies. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Whether two texts are equal. Takes the same time whatever the second text and its length. */
export function isSameSecret(one: string, other: string): boolean {
  return timingSafeEqual(hash('sha256', one, 'buffer'), hash('sha256', other, 'buffer'))
}

/**
 * The values of a secret in the settings: while it is replaced, the new one and the one from before, separated by a space.
 * None if it is not set.
 */
export function valuesOf(secret: string | undefined): readonly string[] {
  return secret?.split(/\s+/).filter(Boolean) ?? []
}
