import {randomUUID} from 'node:crypto'
import {isDeepStrictEqual} from 'node:util'
import {type Actor, type Audit, type AuditEvent, actorOf} from '../audit/events.ts'
import {HttpError} from '../errors.ts'
import type {Accounts} from './accounts.ts'
import type {Check, Credentials} from './credentials/credentials.ts'
import type {Principal} from './principal.ts'
import {describeRights, everywhere, mayGive, type Rights, type SiteName} from './rights/rights.ts'

/** An event that a change of people or tokens causes, without who made the change. */
type Change = WithoutBy<
  Extract<AuditEvent, {readonly type: `people.${string}` | 'token.made' | 'token.rotated' | 'token.revoked'}>
>

type WithoutBy<E> = E extends unknown ? Omit<E, 'by'> : never

type AdministrationOptions = {
  readonly accounts: Accounts
  readonly audit: Audit
  readonly by: Actor
  /** Whether `by` has rights that limit what they may change. The command line has none. */
  readonly isLimited: boolean
  /** Default: the ids of sites. */
  readonly siteName?: SiteName | undefined
}

/**
 * Changes people and tokens on behalf of somebody, and records each change. An administrator gives and takes
 * away only what they have themselves, also when somebody changes their rights at the same time: each
 * decision uses the credentials as they are under their lock.
 */
export class Administration {
  readonly #options: AdministrationOptions

  constructor(options: AdministrationOptions) {
    this.#options = options
  }

  /** @throws HttpError 403, or 409 if the address is taken */
  async addEditor(editor: Omit<Principal, 'id'>, password?: string): Promise<Principal> {
    const added = await this.#options.accounts.addEditor(editor, password, this.#givesAll)
    this.#record({
      type: 'people.added',
      about: actorOf(added),
      rights: this.#inWords(added.rights),
    })
    return added
  }

  /**
   * Adds an editor who signs in with a one-time link first, and makes its code.
   * @throws HttpError 403, or 409 if the address is taken
   */
  async invite(invited: Omit<Principal, 'id'>): Promise<{readonly editor: Principal; readonly code: string}> {
    const {editor, code} = await this.#options.accounts.invite(invited, this.#givesAll, this.#limitedBy)
    this.#record({
      type: 'people.invited',
      about: actorOf(editor),
      rights: this.#inWords(editor.rights),
    })
    return {editor, code}
  }

  /**
   * Makes the code of a one-time link. With it, one can do all that the editor can.
   * @throws HttpError 403, 404, or 409 for an editor about whom an identity provider decides
   */
  async makeLink(editor: Principal): Promise<string> {
    const check: Check = (current, about) => {
      this.#givesAll(current, about)
      const editorNow = current.editors.find((one) => one.id === about.id)
      if (this.#options.isLimited && editorNow?.identity !== undefined)
        throw new HttpError(
          409,
          'This person signs in with single sign-on. Only the operator of this server can make a link for them.',
        )
    }
    const code = await this.#options.accounts.makeLink(editor.id, check, this.#limitedBy)
    this.#record({type: 'people.linkMade', about: actorOf(editor)})
    return code
  }

  /** @throws HttpError 403, 404, or 409 for the last administrator */
  async setRights(email: string, rights: Rights): Promise<Principal> {
    let before: Rights = []
    const editor = await this.#options.accounts.setRights(email, rights, (current, about) => {
      before = about.rights
      this.#requireAnother(about.id)
      this.#givesAll(current, {id: about.id, rights: differences(before, rights)})
      this.#requireAdministrator(current, about.id, rights)
    })
    const texts = {
      before: this.#inWords(before),
      rights: this.#inWords(rights),
    }
    if (!isDeepStrictEqual(before, rights))
      this.#record({type: 'people.rightsChanged', about: actorOf(editor), ...texts})
    return editor
  }

  /** @throws HttpError 404 */
  async setPassword(email: string, password: string): Promise<Principal> {
    const {editor} = await this.#options.accounts.setPassword(email, password)
    this.#record({type: 'people.passwordChanged', about: actorOf(editor)})
    return editor
  }

  /** @throws HttpError 403, 404, or 409 for the last administrator */
  async removeEditor(email: string): Promise<void> {
    const removed = await this.#options.accounts.removeEditor(email, (current, about) => {
      this.#requireAnother(about.id)
      this.#givesAll(current, about)
      this.#requireAdministrator(current, about.id, [])
    })
    this.#record({type: 'people.removed', about: actorOf(removed)})
  }

  /**
   * Adds a program and returns its token.
   * @throws HttpError 403
   */
  async addToken(name: string, rights: Rights): Promise<{readonly id: string; readonly token: string}> {
    const id = randomUUID()
    const token = await this.#options.accounts.addToken(name, rights, id, this.#givesAll)
    this.#record({
      type: 'token.made',
      about: {id, name},
      rights: this.#inWords(rights),
    })
    return {id, token}
  }

  /**
   * Gives a program a new token. The one from before is accepted for some milliseconds, too. For the command line.
   * @throws HttpError 404, or 409 if several tokens have the name
   */
  async rotateToken(nameOrId: string, validFor: number): Promise<string> {
    const {id, name, token} = await this.#options.accounts.rotateToken(nameOrId, validFor)
    this.#record({type: 'token.rotated', about: {id, name}})
    return token
  }

  /**
   * Ends all sessions of an editor, or of everybody. For the command line.
   * @returns how many editors have to sign in again
   * @throws HttpError 404
   */
  async signOut(email?: string): Promise<number> {
    const editors = await this.#options.accounts.signOut(email)
    for (const editor of editors) this.#record({type: 'people.signedOut', about: actorOf(editor)})
    return editors.length
  }

  /** @throws HttpError 403 or 404 */
  async removeTokens(nameOrId: string): Promise<void> {
    for (const about of await this.#options.accounts.removeTokens(nameOrId, this.#givesAll))
      this.#record({type: 'token.revoked', about})
  }

  /** Requires that the administrator may give, or take away, all rights of an editor or a token. */
  readonly #givesAll: Check = ({editors, tokens}, {id, rights}) => {
    const {isLimited, by} = this.#options
    if (!isLimited || id === by.id) return
    const self = [...editors, ...tokens].find((one) => one.id === by.id)
    if (self === undefined || !mayGive(self.rights, rights))
      throw new HttpError(
        403,
        `You can only give and take away rights for sites that you administer: ${this.#inWords(rights)} ` +
          'is more. Ask an administrator of all sites.',
      )
  }

  /** The operator has all rights: a link of theirs gives no more. */
  get #limitedBy(): string | undefined {
    const {isLimited, by} = this.#options
    return isLimited ? by.id : undefined
  }

  #requireAnother(id: string): void {
    const {isLimited, by} = this.#options
    if (isLimited && id === by.id)
      throw new HttpError(403, 'You cannot change your own rights. Ask another administrator.')
  }

  /** Without an administrator of all sites, only the command line could give rights for all sites. */
  #requireAdministrator({editors}: Credentials, id: string, after: Rights): void {
    const before = editors.find((one) => one.id === id)?.rights ?? []
    const remaining = editors.map((one) => (one.id === id ? after : one.rights))
    if (this.#options.isLimited && mayGiveAll(before) && !remaining.some(mayGiveAll))
      throw new HttpError(409, 'This is the last administrator of all sites. Make somebody else one first.')
  }

  #inWords(rights: Rights): string {
    return describeRights(rights, this.#options.siteName)
  }

  #record(event: Change): void {
    const {audit, by} = this.#options
    audit.record({...event, by})
    audit.settle()
  }
}

/** Whether rights include those of an administrator of all sites. */
function mayGiveAll(rights: Rights): boolean {
  return mayGive(rights, everywhere('administrator'))
}

/** The rights that only one of two lists has. */
function differences(before: Rights, after: Rights): Rights {
  const without = (some: Rights, others: Rights) =>
    some.filter((right) => !others.some((other) => isDeepStrictEqual(right, other)))
  return [...without(before, after), ...without(after, before)]
}
