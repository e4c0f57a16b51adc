import {plainLine} from '../../git/objects/commitObject.ts'
import {isEmail} from '../credentials/credentials.ts'
import type {Profile} from '../credentials/identityEditor.ts'
import type {Claims} from './mapping.ts'

/** Maximum length of a name or an address. */
const MAX_LENGTH = 200

/**
 * Reads the name and the address of a person from claims, which may contain any text, or lack them. An
 * address that the provider knows not to be verified is not used: it is the author of commits.
 */
export function profileOf(issuer: string, subject: string, claims: Claims): Profile {
  const given = claims.email_verified === false ? undefined : textIn(claims.email)
  const email = given !== undefined && isEmail(given) ? given : undefined
  const fallback = `${subject.replace(/[^\w.-]/g, '-')}@${new URL(issuer).hostname}`
  return {
    issuer,
    subject,
    name: textIn(claims.name) ?? textIn(claims.preferred_username) ?? email ?? 'Unknown',
    email: email ?? fallback,
    isEmailVerified: email !== undefined && claims.email_verified === true,
  }
}

function textIn(claim: unknown): string | undefined {
  const text = typeof claim === 'string' ? plainLine(claim.slice(0, MAX_LENGTH)) : ''
  return text === '' ? undefined : text
}
