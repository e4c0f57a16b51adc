import {isJsonObject} from '../../../common/json.ts'
import {isRole, type Principal, type Role} from '../role.ts'
import {digest} from './secret.ts'

/** An editor as stored in the file. */
export type Editor = Principal & {
  readonly passwordHash?: string
  readonly link?: OneTimeLink
  /** Replaced to end all sessions of the editor: a session is valid only while it has the same value. */
  readonly generation?: string
}

export type OneTimeLink = {
  readonly hash: string
  /** Milliseconds since 1970. */
  readonly expiresAt: number
}

/** A program that may use the lake. */
export type Token = {readonly id: string; readonly name: string; readonly role: Role; readonly hash: string}

/** The content of the file of editors and tokens. */
export type Credentials = {readonly editors: readonly Editor[]; readonly tokens: readonly Token[]}

/**
 * Parses the content of the file; without a file there are no credentials.
 * @throws Error with one line that says what is wrong
 */
export function parseCredentials(value: unknown): Credentials {
  if (value === undefined) return {editors: [], tokens: []}
  if (!isJsonObject(value)) throw new Error('it must be a JSON object with "editors" and "tokens"')
  const {editors = [], tokens = []} = value
  return {
    editors: listOf(editors, 'editors', isEditor),
    tokens: listOf(tokens, 'tokens', isToken),
  }
}

/** The editor with an e-mail address, in upper or lower case. */
export function byEmail({editors}: Credentials, email: string): Editor | undefined {
  return editors.find((one) => isSameEmail(one.email, email))
}

/**
 * The editor with an e-mail address.
 * @throws Error with one line when there is none
 */
export function editorOf(credentials: Credentials, email: string): Editor {
  const editor = byEmail(credentials, email)
  if (editor === undefined) throw new Error(`editor "${email}" not found`)
  return editor
}

/** The editor whose link has a code and is still valid. */
export function byLink({editors}: Credentials, code: string): Editor | undefined {
  const hash = digest(code)
  return editors.find(({link}) => link?.hash === hash && link.expiresAt > Date.now())
}

/** The credentials with the editor of that id replaced. */
export function replaceEditor(credentials: Credentials, changed: Editor): Credentials {
  return {
    ...credentials,
    editors: credentials.editors.map((editor) => (editor.id === changed.id ? changed : editor)),
  }
}

/** Whether two e-mail addresses are the same apart from upper and lower case. */
export function isSameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

function listOf<T>(list: unknown, name: string, isItem: (value: unknown) => value is T): readonly T[] {
  if (!Array.isArray(list)) throw new Error(`"${name}" must be a list`)
  return list.map((item: unknown, index) => {
    if (isItem(item)) return item
    throw new Error(`"${name}"[${index}] has a missing field, or one of the wrong type`)
  })
}

function isEditor(value: unknown): value is Editor {
  if (!isJsonObject(value)) return false
  const {id, name, email, role, passwordHash, link, generation} = value
  return (
    [id, name, email].every((text) => typeof text === 'string') &&
    isRole(role) &&
    [passwordHash, generation].every((text) => text === undefined || typeof text === 'string') &&
    (link === undefined ||
      (isJsonObject(link) && typeof link.hash === 'string' && typeof link.expiresAt === 'number'))
  )
}

function isToken(value: unknown): value is Token {
  if (!isJsonObject(value)) return false
  const {id, name, role, hash} = value
  return [id, name, hash].every((text) => typeof text === 'string') && isRole(role)
}
