import {randomUUID} from 'node:crypto'
import {isJsonObject} from '../documents/document.ts'
import {PrivateFile} from './private-file.ts'
import {isRole, type Principal, type Role} from './role.ts'
import {digest, hashPassword, isPassword, newSecret} from './secret.ts'

/** Milliseconds for which a one-time link holds. */
const linkLifetime = 30 * 60_000

/** Milliseconds between two looks at the file, which another process may have changed. */
const lookEvery = 1_000

type Editor = Principal & {passwordHash?: string; link?: {hash: string; expiresAt: number}}
type Token = {id: string; name: string; role: Role; hash: string}
type Content = {editors: Editor[]; tokens: Token[]}

/**
 * The people and programs that may use the lake, in a file outside the content: whoever clones the content gets no
 * password. Of passwords, tokens and links only hashes are kept. Another process may add to it at any time.
 */
export class Accounts {
  readonly #file: PrivateFile
  #content: Content = {editors: [], tokens: []}
  #signature = ''
  #lookedAt = Number.NEGATIVE_INFINITY
  #looking: Promise<void> = Promise.resolve()

  constructor(path: string) {
    this.#file = new PrivateFile(path)
  }

  /** Every editor, without what is secret. */
  async editors(): Promise<Principal[]> {
    await this.#look()
    return this.#content.editors.map(({id, name, email, role}) => ({id, name, email, role}))
  }

  /** Every token, without what is secret. */
  async tokens(): Promise<{id: string; name: string; role: Role}[]> {
    await this.#look()
    return this.#content.tokens.map(({id, name, role}) => ({id, name, role}))
  }

  /** The editor with an id. */
  async editor(id: string): Promise<Principal | undefined> {
    return (await this.editors()).find((editor) => editor.id === id)
  }

  /** The editor whose e-mail address and password these are. Takes as long where there is no such address. */
  async byPassword(email: string, password: string): Promise<Principal | undefined> {
    await this.#look()
    const editor = this.#content.editors.find((one) => isSameEmail(one.email, email))
    const right = await isPassword(password, editor?.passwordHash ?? (await nobodysHash()))
    return right && editor?.passwordHash !== undefined ? this.editor(editor.id) : undefined
  }

  /** The editor whom a one-time link was made for. It holds once. */
  async byLink(code: string): Promise<Principal | undefined> {
    return this.#change((content) => {
      const editor = content.editors.find(({link}) => link?.hash === digest(code))
      const holds = editor?.link !== undefined && editor.link.expiresAt > Date.now()
      if (editor) delete editor.link
      return holds ? editor : undefined
    })
  }

  /** The program whose token this is. */
  async byToken(token: string): Promise<Principal | undefined> {
    await this.#look()
    const found = this.#content.tokens.find(({hash}) => hash === digest(token))
    return found && programNamed(found.id, found.name, found.role)
  }

  /**
   * Adds an editor. Without a password, a one-time link is the only way in.
   * @throws Error with one line when the address is taken
   */
  async addEditor(editor: Omit<Principal, 'id'>, password?: string): Promise<Principal> {
    const passwordHash = password === undefined ? undefined : await hashPassword(password)
    return this.#change(({editors}) => {
      if (editors.some(({email}) => isSameEmail(email, editor.email)))
        throw new Error(`${editor.email} is the address of an editor already`)
      const added = {id: randomUUID(), ...editor, ...(passwordHash !== undefined && {passwordHash})}
      editors.push(added)
      return added
    })
  }

  /** Makes a one-time link's code for an editor; an older one holds no longer. */
  async makeLink(id: string): Promise<string> {
    const code = newSecret()
    await this.#change(({editors}) => {
      const editor = editors.find((one) => one.id === id)
      if (!editor) throw new Error('there is no such editor')
      editor.link = {hash: digest(code), expiresAt: Date.now() + linkLifetime}
    })
    return code
  }

  /** Adds a program and answers its token, which cannot be shown again. */
  async addToken(name: string, role: Role): Promise<string> {
    const token = newSecret()
    await this.#change(({tokens}) => tokens.push({id: randomUUID(), name, role, hash: digest(token)}))
    return token
  }

  /**
   * Removes an editor by e-mail address, or a token by name: sessions and requests end at once.
   * @throws Error with one line when there is none
   */
  async remove(kind: 'editor' | 'token', name: string): Promise<void> {
    await this.#change((content) => {
      const before = content.editors.length + content.tokens.length
      if (kind === 'editor') content.editors = content.editors.filter(({email}) => !isSameEmail(email, name))
      else content.tokens = content.tokens.filter((token) => token.name !== name)
      if (content.editors.length + content.tokens.length === before)
        throw new Error(`there is no ${kind} "${name}"`)
    })
  }

  /** Who comes while somebody looks waits for what they see. */
  #look(): Promise<void> {
    const now = performance.now()
    if (now - this.#lookedAt < lookEvery) return this.#looking
    this.#lookedAt = now
    this.#looking = this.#read()
    return this.#looking
  }

  async #read(): Promise<void> {
    const signature = await this.#file.signature()
    if (signature === this.#signature) return
    this.#content = parse(await this.#file.read(), this.#file.path)
    this.#signature = signature
  }

  async #change<T>(change: (content: Content) => T): Promise<T> {
    const content = parse(await this.#file.read(), this.#file.path)
    const result = change(content)
    await this.#file.write(content)
    this.#lookedAt = Number.NEGATIVE_INFINITY
    return result
  }
}

/** A program as a principal. */
export function programNamed(id: string, name: string, role: Role): Principal {
  return {id, name, email: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@localhost`, role}
}

function isSameEmail(a: string, b: string): boolean {
  return a.toLowerCase() === b.toLowerCase()
}

let nobodys: Promise<string> | undefined

/** A hash to compare with where there is no editor, so that time does not tell who is one. */
function nobodysHash(): Promise<string> {
  nobodys ??= hashPassword(newSecret())
  return nobodys
}

function parse(value: unknown, path: string): Content {
  if (value === undefined) return {editors: [], tokens: []}
  const {editors = [], tokens = []} = isJsonObject(value) ? value : {}
  if (!Array.isArray(editors) || !Array.isArray(tokens) || !editors.every(isEditor) || !tokens.every(isToken))
    throw new Error(`${path} is not a file of editors: restore it, or remove it and add them again`)
  return {editors, tokens}
}

function isEditor(value: unknown): value is Editor {
  if (!isJsonObject(value)) return false
  const {id, name, email, role, passwordHash, link} = value
  return (
    [id, name, email].every((text) => typeof text === 'string') &&
    isRole(role) &&
    (passwordHash === undefined || typeof passwordHash === 'string') &&
    (link === undefined ||
      (isJsonObject(link) && typeof link.hash === 'string' && typeof link.expiresAt === 'number'))
  )
}

function isToken(value: unknown): value is Token {
  if (!isJsonObject(value)) return false
  const {id, name, role, hash} = value
  return [id, name, hash].every((text) => typeof text === 'string') && isRole(role)
}
