import {hash, timingSafeEqual} from 'node:crypto'

/** Whether the header `Authorization` has this token (RFC 6750 §2.1), in a time that tells nothing of the token. */
export function hasBearerToken(authorization: string | undefined, token: string): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? []
  return (
    given !== undefined && timingSafeEqual(hash('sha256', given, 'buffer'), hash('sha256', token, 'buffer'))
  )
}
