import {plainLine} from '../../../common/text/plainLine.ts'
import {isEmail, type Profile} from '../accounts.ts'
import {type Claims, isEmailVerified} from './mapping.ts'

/** Maximum length of a name or an address. */
const MAX_LENGTH = 200

/**
 * Reads the name and the address of a person from claims, which may contain any text, or lack them. An
 * address that the provider has not verified is not used: the author of commits would be a person of somebody's choice,
 * and the owner of the address could not sign in.
 */
export function profileOf(issuer: string, subject: string, claims: Claims): Profile {
  const given = isEmailVerified(claims) ? textIn(claims.email) : undefined
  const email = given !== undefined && isEmail(given) ? given : undefined
  const fallback = `${subject.replace(/[^\w.-]/g, '-')}@${new URL(issuer).hostname}`
  return {
    issuer,
    subject,
    name: textIn(claims.name) ?? textIn(claims.preferred_username) ?? email ?? 'Unknown',
    email: email ?? fallback,
    isEmailVerified: email !== undefined,
  }
}

/**
 * The claims of a provider whose operator assigns the addresses: one counts as verified if the provider does not say
 * whether it is.
 */
export function withTrustedEmail(claims: Claims): Claims {
  return {...claims, email_verified: claims.email_verified ?? true}
}

function textIn(claim: unknown): string | undefined {
  const text = typeof claim === 'string' ? plainLine(claim.slice(0, MAX_LENGTH)) : ''
  return text === '' ? undefined : text
}
