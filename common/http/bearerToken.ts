import {isSameSecret} from '../secret.ts'

/** The code, token or ticket in the header `Authorization` (RFC 6750 §2.1); empty without one. */
export function bearerToken(authorization: string | undefined): string {
  return /^Bearer +(\S+)$/i.exec(authorization ?? '')?.[1] ?? ''
}

/** Whether the header has one of these tokens, in a time that tells nothing of them. */
export function hasBearerToken(authorization: string | undefined, tokens: readonly string[]): boolean {
  return tokens.map((token) => isSameSecret(bearerToken(authorization), token)).includes(true)
}
