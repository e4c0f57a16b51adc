import {createHmac} from 'node:crypto'
import {isSameSecret} from '../../common/secret.ts'

// Tokens and tickets are signed with the secret of the preview, so every replica can check them without a session store
// (docs/decisions/0038-stateless-preview-tokens.md).

/** What a token says. It grants the drafts of one site to pages of one origin. */
type PreviewToken = {
  /** Which secret it was made with: see `PreviewSecret`. */
  readonly secretId: string
  /** Milliseconds since 1970. */
  readonly issuedAt: number
  readonly origin: string
}

/** What a ticket says. It grants one script, because `import()` sends no header with a token. */
type ScriptTicket = {
  readonly secretId: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A parsed token or ticket, of which nothing is true until its seal is checked. */
type Sealed<T> = {readonly claims: T; readonly seal: string}

/** The script that a ticket is for: the UUID of its tool, and the SHA-256 of its text. */
export type ScriptName = {readonly toolId: string; readonly revision: string}

/** Makes a token for the pages of one origin and site. */
export function sealToken(secret: string, publicId: string, token: PreviewToken): string {
  const {secretId, issuedAt, origin} = token
  const encodedOrigin = Buffer.from(origin).toString('base64url')
  return `${secretId}.${issuedAt.toString(36)}.${encodedOrigin}.${tokenSeal(secret, publicId, token)}`
}

/** Parses a token. Undefined: it is malformed. */
export function parseToken(text: string): Sealed<PreviewToken> | undefined {
  const [, secretId, time, encodedOrigin, seal] =
    /^([A-Za-z0-9-]{1,40})\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{1,400})\.([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (secretId === undefined || time === undefined || encodedOrigin === undefined || seal === undefined)
    return undefined
  const origin = Buffer.from(encodedOrigin, 'base64url').toString()
  return {claims: {secretId, issuedAt: Number.parseInt(time, 36), origin}, seal}
}

/** Whether a token was made with this secret, for this site. */
export function isTokenOf(secret: string, publicId: string, {claims, seal}: Sealed<PreviewToken>): boolean {
  return isSameSecret(seal, tokenSeal(secret, publicId, claims))
}

/** Makes a ticket for one script of a site. */
export function sealTicket(
  secret: string,
  publicId: string,
  script: ScriptName,
  ticket: ScriptTicket,
): string {
  const {secretId, expiresAt} = ticket
  return `${secretId}.${expiresAt.toString(36)}.${ticketSeal(secret, publicId, script, ticket)}`
}

/** Parses a ticket. Undefined: it is malformed. */
export function parseTicket(text: string): Sealed<ScriptTicket> | undefined {
  const [, secretId, time, seal] =
    /^([A-Za-z0-9-]{1,40})\.([0-9a-z]{1,9})\.([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (secretId === undefined || time === undefined || seal === undefined) return undefined
  return {claims: {secretId, expiresAt: Number.parseInt(time, 36)}, seal}
}

/** Whether a ticket was made with this secret, for this script of this site. */
export function isTicketOf(
  secret: string,
  publicId: string,
  script: ScriptName,
  {claims, seal}: Sealed<ScriptTicket>,
): boolean {
  return isSameSecret(seal, ticketSeal(secret, publicId, script, claims))
}

function tokenSeal(secret: string, publicId: string, {secretId, issuedAt, origin}: PreviewToken): string {
  return sealOf(secret, ['handrail preview token', publicId, secretId, issuedAt, origin])
}

function ticketSeal(
  secret: string,
  publicId: string,
  {toolId, revision}: ScriptName,
  {secretId, expiresAt}: ScriptTicket,
): string {
  return sealOf(secret, ['handrail preview script', publicId, secretId, expiresAt, toolId, revision])
}

/** JSON keeps the parts apart, whatever they contain. */
function sealOf(secret: string, parts: readonly (string | number)[]): string {
  return createHmac('sha256', secret).update(JSON.stringify(parts)).digest('base64url')
}
