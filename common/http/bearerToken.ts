import {isSameSecret} from '../secret.ts'

/** Whether the header `Authorization` has one of these tokens (RFC 6750 §2.1), in a time that tells nothing of them. */
export function hasBearerToken(authorization: string | undefined, tokens: readonly string[]): boolean {
  const [, given] = /^Bearer +(.+)$/i.exec(authorization ?? '') ?? []
  if (given === undefined) return false
  return tokens.map((token) => isSameSecret(given, token)).includes(true)
}
