import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import {HttpError} from '../../errors.ts'
import type {Principal} from '../principal.ts'
import {parseRights, type Rights} from '../rights/rights.ts'

/** RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_EMAIL_LENGTH = 254

/** An editor as stored. */
export type Editor = Principal & {
  readonly passwordHash?: string
  readonly link?: Link
  /** The administrators whose links signed somebody in as this editor: each of them could have set the password. */
  readonly linkMakers?: readonly string[]
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
type Expiring = {
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A one-time link. */
type Link = Expiring & {
  /** The id of the administrator who made it, for another person. */
  readonly madeBy?: string
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
 * Decides about a change of an editor or a token, with the credentials as they are when it is made, and records it in its
 * transaction. Throws to refuse it.
 */
export type Check = (
  current: Credentials,
  about: Pick<Token, 'id' | 'name' | 'rights'> & {readonly email?: string},
) => void

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

/** Whether a text looks like an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text)
}

/** Whether two e-mail addresses are the same apart from upper and lower case. */
export function isSameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

/** @throws Error with one line */
export function parseEditor(value: unknown): Editor {
  const entry = isJsonObject(value) ? value : {}
  return {
    id: textIn(entry, 'id'),
    name: textIn(entry, 'name'),
    email: textIn(entry, 'email'),
    rights: parseRights(entry.rights),
    ...(entry.passwordHash !== undefined && {passwordHash: textIn(entry, 'passwordHash')}),
    ...(entry.link !== undefined && {link: parseLink(entry.link)}),
    ...(entry.linkMakers !== undefined && {linkMakers: textsIn(entry, 'linkMakers')}),
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
    rights: parseRights(entry.rights),
    hash: textIn(entry, 'hash'),
    ...(entry.previous !== undefined && {previous: parseExpiring(entry.previous)}),
  }
}

function parseExpiring(value: unknown): Expiring {
  const entry = isJsonObject(value) ? value : {}
  if (typeof entry.expiresAt !== 'number') throw new Error('"expiresAt" must be a number')
  return {hash: textIn(entry, 'hash'), expiresAt: entry.expiresAt}
}

function parseLink(value: unknown): Link {
  const link = isJsonObject(value) ? value : {}
  return {...parseExpiring(link), ...(link.madeBy !== undefined && {madeBy: textIn(link, 'madeBy')})}
}

function parseIdentity(value: unknown): Identity {
  const identity = isJsonObject(value) ? value : {}
  return {issuer: textIn(identity, 'issuer'), subject: textIn(identity, 'subject')}
}

function textIn(entry: JsonObject, name: string): string {
  const text = entry[name]
  if (typeof text === 'string') return text
  throw new Error(`"${name}" must be a string`)
}

function textsIn(entry: JsonObject, name: string): readonly string[] {
  const texts = entry[name]
  if (Array.isArray(texts) && texts.every((text: unknown) => typeof text === 'string')) return texts
  throw new Error(`"${name}" must be a list of strings`)
}
