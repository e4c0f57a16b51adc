import {hash, timingSafeEqual} from 'node:crypto'

/** Whether the header `Authorization` has one of these tokens (RFC 6750 §2.1), in a time that tells nothing of them. */
export function hasBearerToken(authorization: string | undefined, tokens: readonly string[]): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? []
  if (given === undefined) return false
  const digest = hash('sha256', given, 'buffer')
  return tokens.map((token) => timingSafeEqual(digest, hash('sha256', token, 'buffer'))).includes(true)
}
