import {createHmac} from 'node:crypto'
import {isSameSecret} from '../../common/secret.ts'

// Tokens and tickets are signed with the secret of the preview, so every replica can check them without a session store
// (docs/decisions/0038-stateless-preview-tokens.md). They are valid as long as the secret.

/** A script of a site: the UUID of its tool, and the SHA-256 of its text. */
export type ScriptName = {readonly toolId: string; readonly revision: string}

/**
 * What is granted: to pages of one origin by a token, the drafts of one site; by a ticket, one script, because `import()`
 * sends no header with a token.
 */
type Grant = {readonly origin: string} | ScriptName

/** The secret of a preview, and its id. */
type Signer = {readonly id: string; readonly secret: string}

/** A token or ticket, of which nothing is true until its seal is checked. */
type Sealed = {
  /** Which secret it was made with: see `PreviewSecret`. */
  readonly secretId: string
  /** Of a token; empty: it is a ticket. */
  readonly origin: string
  readonly seal: string
}

/** Makes a token or a ticket for a site. */
export function seal(signer: Signer, publicId: string, grant: Grant): string {
  const origin = 'origin' in grant ? [Buffer.from(grant.origin).toString('base64url')] : []
  return [signer.id, ...origin, sealOf(signer, publicId, grant)].join('.')
}

/** Parses a token or a ticket. Undefined: it is malformed. */
export function parseSealed(text: string): Sealed | undefined {
  const [, secretId, origin = '', seal] =
    /^([A-Za-z0-9-]{1,40})\.(?:([A-Za-z0-9_-]{1,400})\.)?([A-Za-z0-9_-]{43})$/.exec(text) ?? []
  if (secretId === undefined || seal === undefined) return undefined
  return {secretId, origin: Buffer.from(origin, 'base64url').toString(), seal}
}

/** Whether a token or a ticket was made with this secret, for this site and grant. */
export function isSealed(signer: Signer, publicId: string, grant: Grant, sealed: Sealed): boolean {
  return sealed.secretId === signer.id && isSameSecret(sealed.seal, sealOf(signer, publicId, grant))
}

/** JSON keeps the parts apart, whatever they contain. */
function sealOf({id, secret}: Signer, publicId: string, grant: Grant): string {
  const [kind, ...parts] =
    'origin' in grant ? ['token', grant.origin] : ['script', grant.toolId, grant.revision]
  const sealed = JSON.stringify([`handrail preview ${kind}`, publicId, id, ...parts])
  return createHmac('sha256', secret).update(sealed).digest('base64url')
}
