import {readFile} from 'node:fs/promises'
import {errorMessage} from '../../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {plainLine} from '../../../git/plainLine.ts'
import {isEmail, type Profile} from '../accounts.ts'
import {parsePersonRights, type Right, type Rights} from '../rights/rights.ts'

/** The log for the operator. */
export type AccessLogger = {error(message: string): void; info(message: string): void}

export const NO_LOGGER: AccessLogger = {error: () => {}, info: () => {}}

/** What an identity provider says about a person. */
export type Claims = JsonObject

/** Gives rights to everyone with a value of a claim. */
type Rule = {
  /** Names of nested attributes; undefined for everyone whom the provider signs in. */
  readonly claim: readonly string[] | undefined
  readonly value: string
  readonly rights: Rights
}

export type Mapping = readonly Rule[]

const RULE_NAMES = ['claim', 'value', 'everyone', 'rights']

/**
 * Parses the mapping from claims to rights. It refuses unknown names, so that a typing error gives rights to
 * no one.
 * @throws Error with one line that says what is wrong
 */
export function parseMapping(value: unknown): Mapping {
  if (!isJsonObject(value) || !Array.isArray(value.rules))
    throw new Error('it must be a JSON object with a list "rules"')
  return value.rules.map((rule: unknown, index) => {
    try {
      return parseRule(rule)
    } catch (error) {
      throw new Error(`"rules"[${index}]: ${errorMessage(error)}`)
    }
  })
}

/** All rights that the claims of a person give. None means that they may not sign in. */
export function mappedRights(mapping: Mapping, claims: Claims): Rights {
  const rights = mapping.filter((rule) => applies(rule, claims)).flatMap((rule) => rule.rights)
  return [...new Map(rights.map((right): [string, Right] => [JSON.stringify(right), right])).values()]
}

/** Whether the provider has verified the address. Amazon Cognito says so as a text. */
function isEmailVerified({email_verified: claim}: Claims): boolean {
  return claim === true || claim === 'true'
}

/** Why claims that look like groups match no rule, for the operator; empty if nothing is known. */
export function mismatchOf(mapping: Mapping, claims: Claims): string {
  const {_claim_names: elsewhere, hasgroups} = claims
  // As Microsoft Entra ID does for more than 200 groups.
  if (hasgroups === true || (isJsonObject(elsewhere) && 'groups' in elsewhere))
    return ': the person is in too many groups for a token, so the provider sent none. Let it send only the groups that are assigned to this application'
  for (const {claim, value} of mapping) {
    const found = claim === undefined ? undefined : claimAt(claim, claims)
    const entries: unknown[] = Array.isArray(found) ? found : []
    if (entries.includes(`/${value}`))
      return `: the provider sends paths of groups. Write "/${value}" in the mapping file`
    if (entries.some(isJsonObject))
      return `: "${claim?.join('.')}" has objects. Let the provider send a list of texts, such as the IDs of groups`
  }
  return ''
}

function parseRule(value: unknown): Rule {
  if (!isJsonObject(value)) throw new Error('it must be an object')
  const unknown = Object.keys(value).find((name) => !RULE_NAMES.includes(name))
  if (unknown !== undefined) throw new Error(`"${unknown}" is not one of ${RULE_NAMES.join(', ')}`)
  const rights = parsePersonRights(value.rights)
  if (value.everyone !== undefined) {
    if (value.everyone !== true || value.claim !== undefined || value.value !== undefined)
      throw new Error('"everyone" must be true, without "claim" and "value"')
    return {claim: undefined, value: '', rights}
  }
  if (typeof value.value !== 'string' || value.value === '') throw new Error('"value" must be a string')
  return {claim: parsePath(value.claim), value: value.value, rights}
}

function parsePath(claim: unknown): readonly string[] {
  const path = Array.isArray(claim) ? claim : [claim]
  if (path.length === 0 || !path.every((name) => typeof name === 'string' && name !== ''))
    throw new Error('"claim" must be the name of a claim, or a list of names for a nested one')
  return path.map(String)
}

function applies({claim, value}: Rule, claims: Claims): boolean {
  if (claim === undefined) return true
  // At some providers, people choose the address themselves.
  if (claim[0] === 'email' && !isEmailVerified(claims)) return false
  const found = claimAt(claim, claims)
  return Array.isArray(found) ? found.includes(value) : found === value
}

function claimAt(path: readonly string[], claims: Claims): unknown {
  return path.reduce<unknown>(
    (inner, name) => (isJsonObject(inner) && Object.hasOwn(inner, name) ? inner[name] : undefined),
    claims,
  )
}

/** The operator's file that maps claims to rights. */
export class MappingFile {
  readonly #path: string
  readonly #logger: AccessLogger
  /** What was in the file when it was read last. */
  #text: string | undefined
  #problem: string | undefined

  constructor(path: string, logger: AccessLogger) {
    this.#path = path
    this.#logger = logger
  }

  /**
   * The mapping that is in the file now.
   * @throws Error with one line that names the file; the log has it too, once for each new problem
   */
  async read(): Promise<Mapping> {
    try {
      const text = await readFile(this.#path, 'utf8')
      const mapping = parseMapping(JSON.parse(text))
      if (this.#problem !== undefined || (this.#text !== undefined && this.#text !== text))
        this.#logger.info(`The mapping file ${this.#path} has changed and is in use`)
      this.#text = text
      this.#problem = undefined
      return mapping
    } catch (error) {
      const problem =
        `The mapping file ${this.#path} cannot be used: ${errorMessage(error)}. Until it is repaired, no one can sign in ` +
        'with single sign-on, and open sessions keep their rights'
      if (problem !== this.#problem) this.#logger.error(problem)
      this.#problem = problem
      throw new Error(problem)
    }
  }
}

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
