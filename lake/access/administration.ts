import {randomUUID} from 'node:crypto'
import {isDeepStrictEqual} from 'node:util'
import {type Actor, type Audit, type AuditEvent, actorOf} from '../audit/events.ts'
import {HttpError} from '../errors.ts'
import type {Accounts} from './accounts.ts'
import type {Principal} from './principal.ts'
import {describeRights, everywhere, mayGive, type Rights, type SiteName} from './rights/rights.ts'
import type {Check} from './tokens.ts'

/** An event that a change of people or tokens causes, without who made the change. */
type Change = WithoutBy<
  Extract<AuditEvent, {readonly type: `people.${string}` | 'token.made' | 'token.revoked'}>
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
 * Changes people and tokens on behalf of somebody, and records each change in its transaction. An administrator gives and takes
 * away only what they have themselves, also when somebody changes their rights at the same time: each
 * decision uses the credentials as they are under their lock.
 */
export class Administration {
  readonly #options: AdministrationOptions

  constructor(options: AdministrationOptions) {
    this.#options = options
  }

  /** @throws HttpError 403, or 409 if the address is taken */
  async addEditor(editor: Omit<Principal, 'id'>): Promise<Principal> {
    return this.#options.accounts.addEditor(editor, undefined, (about) => {
      this.#givesAll(about)
      this.#record({type: 'people.added', about: personOf(about), rights: this.#inWords(about.rights)})
    })
  }

  /**
   * Adds an editor who signs in with a one-time link first, and makes its code.
   * @throws HttpError 403, or 409 if the address is taken
   */
  async invite(invited: Omit<Principal, 'id'>): Promise<{readonly editor: Principal; readonly code: string}> {
    const check: Check = (about) => {
      this.#givesAll(about)
      this.#record({type: 'people.invited', about: personOf(about), rights: this.#inWords(about.rights)})
    }
    return this.#options.accounts.invite(invited, check, this.#limitedBy)
  }

  /**
   * Makes the code of a one-time link. With it, one can do all that the editor can.
   * @throws HttpError 403, 404, or 409 for an editor about whom an identity provider decides
   */
  async makeLink(editor: Principal): Promise<string> {
    const check: Check = (about) => {
      this.#givesAll(about)
      if (this.#options.isLimited && about.usesSingleSignOn)
        throw new HttpError(
          409,
          'This person signs in with single sign-on. Only the operator of this server can make a link for them.',
        )
      this.#record({type: 'people.linkMade', about: personOf(about)})
    }
    return this.#options.accounts.makeLink(editor.id, check, this.#limitedBy)
  }

  /** @throws HttpError 403, 404, or 409 for the last administrator */
  async setRights(email: string, rights: Rights): Promise<Principal> {
    return this.#options.accounts.setRights(email, rights, (about) => {
      const {rights: before} = about
      this.#requireAnother(about.id)
      this.#givesAll({...about, rights: differences(before, rights)})
      this.#requireAdministrator(about.id, rights)
      if (isDeepStrictEqual(before, rights)) return
      const texts = {before: this.#inWords(before), rights: this.#inWords(rights)}
      this.#record({type: 'people.rightsChanged', about: personOf(about), ...texts})
    })
  }

  /**
   * Removes a password, and ends the sessions. For the command line.
   * @throws HttpError 404
   */
  async removePassword(email: string): Promise<Principal> {
    const {editor} = await this.#options.accounts.setPassword(email, undefined, (about) =>
      this.#record({type: 'people.passwordChanged', about: personOf(about)}),
    )
    return editor
  }

  /** @throws HttpError 403, 404, or 409 for the last administrator */
  async removeEditor(email: string): Promise<void> {
    await this.#options.accounts.removeEditor(email, (about) => {
      this.#requireAnother(about.id)
      this.#givesAll(about)
      this.#requireAdministrator(about.id, [])
      this.#record({type: 'people.removed', about: personOf(about)})
    })
  }

  /**
   * Adds a program and returns its token.
   * @throws HttpError 403
   */
  async addToken(name: string, rights: Rights): Promise<{readonly id: string; readonly token: string}> {
    const id = randomUUID()
    const token = await this.#options.accounts.tokens.add(name, rights, id, (about) => {
      this.#givesAll(about)
      this.#record({type: 'token.made', about: {id, name}, rights: this.#inWords(rights)})
    })
    return {id, token}
  }

  /**
   * Ends all sessions of an editor, or of everybody. For the command line.
   * @returns how many editors have to sign in again
   * @throws HttpError 404
   */
  async signOut(email?: string): Promise<number> {
    return this.#options.accounts.signOut(email, (about) =>
      this.#record({type: 'people.signedOut', about: personOf(about)}),
    )
  }

  /** @throws HttpError 403 or 404 */
  async removeTokens(nameOrId: string): Promise<void> {
    await this.#options.accounts.tokens.remove(nameOrId, (about) => {
      this.#givesAll(about)
      this.#record({type: 'token.revoked', about: {id: about.id, name: about.name}})
    })
  }

  /** Requires that the administrator may give, or take away, all rights of an editor or a token. */
  readonly #givesAll: Check = ({id, rights}) => {
    const {isLimited, by, accounts} = this.#options
    if (!isLimited || id === by.id) return
    const own = accounts.rightsOf(by.id)
    if (own.length === 0 || !mayGive(own, rights))
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
  #requireAdministrator(id: string, after: Rights): void {
    const {accounts, isLimited} = this.#options
    const remaining = accounts.editors().map((one) => (one.id === id ? after : one.rights))
    if (isLimited && mayGiveAll(accounts.rightsOf(id)) && !remaining.some(mayGiveAll))
      throw new HttpError(409, 'This is the last administrator of all sites. Make somebody else one first.')
  }

  #inWords(rights: Rights): string {
    return describeRights(rights, this.#options.siteName)
  }

  #record(event: Change): void {
    const {audit, by} = this.#options
    audit.record({...event, by})
  }
}

function personOf({id, name, email = ''}: Parameters<Check>[0]): Actor {
  return actorOf({id, name, email})
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
