import {errorMessage} from '../../../common/errorMessage.ts'
import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {HttpError} from '../../errors.ts'
import type {Principal} from '../principal.ts'
import {everywhere, parseRights, type Rights} from '../rights/rights.ts'
import {roleNamed} from '../rights/role.ts'

/** RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_EMAIL_LENGTH = 254

/** An editor as stored. */
export type Editor = Principal & {
  readonly passwordHash?: string
  readonly link?: Expiring
  /** The digest of the last link that is not valid any more. */
  readonly usedLink?: string
  /** Whether the editor was invited and has not signed in yet. */
  readonly isInvited?: true
  /** Replaced to end all sessions of the editor: a session is valid only while it has the same value. */
  readonly generation?: string
  /** The account at an identity provider that signs the editor in. */
  readonly identity?: Identity
}

/** An account at an identity provider. */
export type Identity = {readonly issuer: string; readonly subject: string}

/** The digest of a secret that is valid for some time. */
export type Expiring = {
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A program that may use the lake. */
export type Token = {
  readonly id: string
  readonly name: string
  readonly rights: Rights
  readonly hash: string
  /** The value from before, for as long as it is accepted. */
  readonly previous?: Expiring
}

/** All editors and tokens. */
export type Credentials = {readonly editors: readonly Editor[]; readonly tokens: readonly Token[]}

/**
 * Decides about a change of an editor or a token, with the credentials as they are when it is made. Throws to
 * refuse it.
 */
export type Check = (current: Credentials, about: Pick<Token, 'id' | 'rights'>) => void

/**
 * Parses the content of the file; without a file there are no credentials.
 * @throws Error with one line that says what is wrong
 */
export function parseCredentials(value: unknown): Credentials {
  if (value === undefined) return {editors: [], tokens: []}
  if (!isJsonObject(value)) throw new Error('it must be a JSON object with "editors" and "tokens"')
  const {editors = [], tokens = []} = value
  return {
    editors: listOf(editors, 'editors', parseEditor),
    tokens: listOf(tokens, 'tokens', parseToken),
  }
}

/** The editor with an e-mail address, in upper or lower case. */
export function byEmail({editors}: Credentials, email: string): Editor | undefined {
  return editors.find((one) => isSameEmail(one.email, email))
}

/**
 * The editor with an e-mail address.
 * @throws HttpError with one line when there is none
 */
export function editorOf(credentials: Credentials, email: string): Editor {
  const editor = byEmail(credentials, email)
  if (editor === undefined) throw new HttpError(404, `editor "${email}" not found`)
  return editor
}

/** The credentials with the editor of that id replaced. */
export function replaceEditor(credentials: Credentials, changed: Editor): Credentials {
  return {
    ...credentials,
    editors: credentials.editors.map((editor) => (editor.id === changed.id ? changed : editor)),
  }
}

/** Whether a text looks like an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text)
}

/** Whether two e-mail addresses are the same apart from upper and lower case. */
export function isSameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function listOf<T>(list: unknown, name: string, parse: (value: unknown) => T): readonly T[] {
  if (!Array.isArray(list)) throw new Error(`"${name}" must be a list`)
  return list.map((item: unknown, index) => {
    try {
      return parse(item)
    } catch (error) {
      throw new Error(`"${name}"[${index}]: ${errorMessage(error)}`)
    }
  })
}

/** @throws Error with one line */
export function parseEditor(value: unknown): Editor {
  const entry = isJsonObject(value) ? value : {}
  return {
    id: textIn(entry, 'id'),
    name: textIn(entry, 'name'),
    email: textIn(entry, 'email'),
    rights: rightsIn(entry),
    ...(entry.passwordHash !== undefined && {passwordHash: textIn(entry, 'passwordHash')}),
    ...(entry.link !== undefined && {link: parseExpiring(entry.link)}),
    ...(entry.usedLink !== undefined && {usedLink: textIn(entry, 'usedLink')}),
    ...(entry.isInvited === true && {isInvited: true}),
    ...(entry.generation !== undefined && {generation: textIn(entry, 'generation')}),
    ...(entry.identity !== undefined && {identity: parseIdentity(entry.identity)}),
  }
}

/** @throws Error with one line */
export function parseToken(value: unknown): Token {
  const entry = isJsonObject(value) ? value : {}
  return {
    id: textIn(entry, 'id'),
    name: textIn(entry, 'name'),
    rights: rightsIn(entry),
    hash: textIn(entry, 'hash'),
    ...(entry.previous !== undefined && {previous: parseExpiring(entry.previous)}),
  }
}

function parseExpiring(value: unknown): Expiring {
  const entry = isJsonObject(value) ? value : {}
  if (typeof entry.expiresAt !== 'number') throw new Error('"expiresAt" must be a number')
  return {hash: textIn(entry, 'hash'), expiresAt: entry.expiresAt}
}

function parseIdentity(value: unknown): Identity {
  const identity = isJsonObject(value) ? value : {}
  return {issuer: textIn(identity, 'issuer'), subject: textIn(identity, 'subject')}
}

/** Before rights had sites, an entry had one role, for all of them. */
function rightsIn({rights, role}: JsonObject): Rights {
  if (rights !== undefined) return parseRights(rights)
  const named = roleNamed(role)
  if (named === undefined) throw new Error('"rights" is missing')
  return everywhere(named)
}

function textIn(entry: JsonObject, name: string): string {
  const text = entry[name]
  if (typeof text === 'string') return text
  throw new Error(`"${name}" must be a string`)
}
