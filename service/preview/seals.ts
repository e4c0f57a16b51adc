import {createHmac} from 'node:crypto'
import {isSameSecret} from '../../common/secret.ts'

// Tokens and tickets are signed with the secret of the preview, so every replica can check them without a session store
// (docs/decisions/0038-stateless-preview-tokens.md).

/** A script of a site: the UUID of its tool, and the SHA-256 of its text. */
export type ScriptName = {readonly toolId: string; readonly revision: string}

/**
 * What is granted: to pages of one origin by a token, the drafts of one site; by a ticket, one script, because `import()`
 * sends no header with a token.
 */
type Grant = {readonly origin: string} | ScriptName

/** A token or ticket, of which nothing is true until its seal is checked. */
type Sealed = {
  /** Which secret it was made with: see `PreviewSecret`. */
  readonly secretId: string
  /** When a token was made, or a ticket expires, in milliseconds since 1970. */
  readonly time: number
  /** Of a token; empty: it is a ticket. */
  readonly origin: string
  readonly seal: string
}

/** Makes a token or a ticket for a site. */
export function seal(
  secret: string,
  publicId: string,
  grant: Grant,
  {secretId, time}: Pick<Sealed, 'secretId' | 'time'>,
): string {
  const origin = 'origin' in grant ? [Buffer.from(grant.origin).toString('base64url')] : []
  const parts = [secretId, time.toString(36), ...origin, sealOf(secret, publicId, grant, {secretId, time})]
  return parts.join('.')
}

/** Parses a token or a ticket. Undefined: it is malformed. */
export function parseSealed(text: string): Sealed | undefined {
  const [, secretId, time, origin = '', seal] =
    /^([A-Za-z0-9-]{1,40})\.([0-9a-z]{1,9})\.(?:([A-Za-z0-9_-]{1,400})\.)?([A-Za-z0-9_-]{43})$/.exec(text) ??
    []
  if (secretId === undefined || time === undefined || seal === undefined) return undefined
  return {
    secretId,
    time: Number.parseInt(time, 36),
    origin: Buffer.from(origin, 'base64url').toString(),
    seal,
  }
}

/** Whether a token or a ticket was made with this secret, for this site and grant. */
export function isSealed(secret: string, publicId: string, grant: Grant, sealed: Sealed): boolean {
  return isSameSecret(sealed.seal, sealOf(secret, publicId, grant, sealed))
}

/** JSON keeps the parts apart, whatever they contain. */
function sealOf(
  secret: string,
  publicId: string,
  grant: Grant,
  {secretId, time}: Pick<Sealed, 'secretId' | 'time'>,
): string {
  const [kind, ...parts] =
    'origin' in grant ? ['token', grant.origin] : ['script', grant.toolId, grant.revision]
  const sealed = JSON.stringify([`handrail preview ${kind}`, publicId, secretId, time, ...parts])
  return createHmac('sha256', secret).update(sealed).digest('base64url')
}
