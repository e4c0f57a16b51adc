import {randomUUID} from 'node:crypto'
import {isDeepStrictEqual} from 'node:util'
import {errorMessage} from '../../common/errorMessage.ts'
import {newSecret} from '../../common/secret.ts'
import type {State} from '../../content/state/state.ts'
import {HttpError} from '../errors.ts'
import {
  byEmail,
  type Check,
  type Credentials,
  type Editor,
  editorOf,
  type Identity,
} from './credentials/credentials.ts'
import {type AccessLogger, CredentialsStore, NO_LOGGER, type Rows} from './credentials/credentialsStore.ts'
import {byIdentity, type Profile, withIdentity} from './credentials/identityEditor.ts'
import {findLink, withLink, withoutLink, withRedeemedLink, withTrustedPassword} from './credentials/link.ts'
import {
  digest,
  hashPassword,
  isPassword,
  SCRYPT_COST,
  type ScryptCost,
  unusableHash,
} from './credentials/secret.ts'
import {credentialOf, hashesOf, tokenOf, tokensNamed, withNewSecret} from './credentials/tokens.ts'
import {type Principal, programNamed} from './principal.ts'
import {covers, type Rights} from './rights/rights.ts'
import type {Session} from './signIn/sessions.ts'

/** An editor who proved who they are, and the generation of sessions that this allows them to begin. */
export type SignedIn = {readonly editor: Principal; readonly generation: string | undefined}

/** A one-time link that somebody opened. */
export type PeekedLink = NonNullable<Awaited<ReturnType<Accounts['peekLink']>>>

const ALLOW: Check = () => {}

type AccountsOptions = {
  readonly logger?: AccessLogger
  /** What a guess at a password costs. Default: {@link SCRYPT_COST}. */
  readonly scryptCost?: ScryptCost | undefined
}

/**
 * The people and programs that may use the lake. They are in its database, so that a clone of the content has no
 * passwords. Of passwords, tokens and links only hashes are stored. The command line may change them while the lake runs.
 */
export class Accounts {
  readonly #store: CredentialsStore
  readonly #scryptCost: ScryptCost
  /** Makes a password check take as long for an unknown e-mail address as for a known one. */
  readonly #unusableHash: string

  constructor(state: State, {logger = NO_LOGGER, scryptCost = SCRYPT_COST}: AccountsOptions = {}) {
    this.#store = new CredentialsStore(state, logger)
    this.#scryptCost = scryptCost
    this.#unusableHash = unusableHash(scryptCost)
  }

  /** What prevents credentials from being read, for the operator; undefined when they can be read. */
  async problem(): Promise<string | undefined> {
    try {
      this.#store.read()
      return undefined
    } catch (error) {
      return errorMessage(error)
    }
  }

  /** All editors, without secrets. */
  async editors(): Promise<Principal[]> {
    return this.#store.read().editors.map(principalOf)
  }

  /** All tokens, without secrets. */
  async tokens(): Promise<{id: string; name: string; rights: Rights}[]> {
    return this.#store.read().tokens.map(({id, name, rights}) => ({id, name, rights}))
  }

  /** The editor with an id. */
  async editor(id: string): Promise<Principal | undefined> {
    return (await this.editors()).find((editor) => editor.id === id)
  }

  /**
   * The editor of a session, unless the editor was removed or all of their sessions have been ended since.
   */
  async bySession({editorId, generation}: Session): Promise<Principal | undefined> {
    const {editors} = this.#store.read()
    const editor = editors.find((one) => one.id === editorId)
    return editor?.generation === generation ? editor && principalOf(editor) : undefined
  }

  /** The editor with an e-mail address and a password. Takes equally long when there is no such editor. */
  async byPassword(email: string, password: string): Promise<SignedIn | undefined> {
    const editor = byEmail(this.#store.read(), email)
    const passwordHash = editor?.passwordHash
    const isRight = await isPassword(password, passwordHash ?? this.#unusableHash)
    if (!isRight || editor === undefined || passwordHash === undefined) return undefined
    return signedIn(editor)
  }

  /** The one-time link with a code, which may have expired or been used. A valid link stays valid. */
  async peekLink(code: string) {
    const found = findLink(this.#store.read(), code)
    if (found === undefined) return undefined
    const {editor, state} = found
    const hasPassword = editor.passwordHash !== undefined
    // Invited: the editor has never signed in.
    return {editor: principalOf(editor), state, hasPassword, isInvited: editor.isInvited === true}
  }

  /** Uses up a one-time link: of several calls with one code, one gets the editor. */
  async redeemLink(code: string): Promise<SignedIn | undefined> {
    // Clients can make up codes: take the lock only for a code that exists.
    if (findLink(this.#store.read(), code)?.state !== 'valid') return undefined
    return this.#store.change((current, rows) => {
      const found = findLink(current, code)
      if (found?.state !== 'valid') return undefined
      const editor = withRedeemedLink(found.editor)
      rows.saveEditor(editor)
      return signedIn(editor)
    })
  }

  /**
   * Signs in the editor with an account at an identity provider, who has this profile and these rights from
   * now on. Adds an editor for a new account.
   * @param record takes also the rights before; undefined for a new editor
   * @throws AddressTaken if another editor has the address
   */
  async signInFrom(
    profile: Profile,
    rights: Rights,
    record: (editor: Principal, before: Rights | undefined) => void = () => {},
  ): Promise<SignedIn> {
    return this.#store.change((current, rows) => {
      const editor = withIdentity(current, profile, rights)
      const known = current.editors.find(({id}) => id === editor.id)
      if (!isDeepStrictEqual(known, editor)) rows.saveEditor(editor)
      record(principalOf(editor), known?.rights)
      return signedIn(editor)
    })
  }

  /** How an editor signs in: with an account at an identity provider, a password, or an invitation first. */
  async signInOf(id: string) {
    const editor = this.#store.read().editors.find((one) => one.id === id)
    const hasPassword = editor?.passwordHash !== undefined
    return {identity: editor?.identity, hasPassword, isInvited: editor?.isInvited === true}
  }

  /** Whether an account at an identity provider has an editor. */
  async hasIdentity(identity: Identity): Promise<boolean> {
    return byIdentity(this.#store.read(), identity) !== undefined
  }

  /**
   * Adds an editor. Without a password, only a one-time link signs them in.
   * @throws HttpError with one line when the address is taken
   */
  async addEditor(editor: Omit<Principal, 'id'>, password?: string, check = ALLOW): Promise<Principal> {
    const passwordHash = password === undefined ? undefined : await hashPassword(password, this.#scryptCost)
    return this.#store.change((current, rows) => {
      const added = {id: randomUUID(), ...editor, ...(passwordHash !== undefined && {passwordHash})}
      add(added, current, rows, check)
      return principalOf(added)
    })
  }

  /**
   * Adds an editor who has not signed in yet, and makes the code of a one-time link. Until they have, their links are
   * valid for longer.
   * @param by the id of the administrator who invites them
   * @throws HttpError with one line when the address is taken
   */
  async invite(
    editor: Omit<Principal, 'id'>,
    check = ALLOW,
    by?: string,
  ): Promise<{readonly editor: Principal; readonly code: string}> {
    const code = newSecret()
    return this.#store.change((current, rows) => {
      const added = withLink({id: randomUUID(), ...editor, isInvited: true}, code, by)
      add(added, current, rows, check)
      return {editor: principalOf(added), code}
    })
  }

  /**
   * Makes the code of a one-time link for an editor. It replaces an earlier one.
   * @param by the id of the administrator who makes it
   * @throws HttpError with one line when there is no such editor
   */
  async makeLink(id: string, check = ALLOW, by?: string): Promise<string> {
    const code = newSecret()
    this.#store.change((current, rows) => {
      const editor = current.editors.find((one) => one.id === id)
      if (editor === undefined) throw new HttpError(404, 'the editor has been removed')
      check(current, editor)
      rows.saveEditor(withLink(editor, code, by))
    })
    return code
  }

  /**
   * Changes an editor's rights. Fewer rights apply to open sessions as well. If there are more, sessions end, and the
   * one-time link is revoked: somebody who could not have given these rights may have made the link. So is the password, if
   * such a person could have set it.
   * @throws HttpError with one line when there is no such editor
   */
  async setRights(email: string, rights: Rights, check = ALLOW): Promise<Principal> {
    return this.#store.change((current, rows) => {
      const editor = ownEditorOf(current, email)
      check(current, editor)
      if (isDeepStrictEqual(editor.rights, rights)) return principalOf(editor)
      const changed = covers(editor.rights, rights)
        ? {...editor, rights}
        : {
            ...withTrustedPassword(withoutLink(editor), rights, current),
            rights,
            generation: randomUUID(),
          }
      rows.saveEditor(changed)
      return principalOf(changed)
    })
  }

  /**
   * Changes an editor's password, ends their sessions and revokes their one-time link.
   * @throws HttpError with one line when there is no such editor
   */
  async setPassword(email: string, password: string, check = ALLOW): Promise<SignedIn> {
    const passwordHash = await hashPassword(password, this.#scryptCost)
    return this.#store.change((current, rows) => {
      const {isInvited: _known, ...editor} = withoutLink(ownEditorOf(current, email))
      check(current, editor)
      const changed = {...editor, passwordHash, generation: randomUUID()}
      rows.saveEditor(changed)
      return signedIn(changed)
    })
  }

  /** The program with a token. */
  async byToken(token: string): Promise<Principal | undefined> {
    const found = tokenOf(this.#store.read(), token)
    return found && programNamed(found.id, found.name, found.rights, credentialOf(digest(token)))
  }

  /** The rights that an editor or a program has now; none if it was removed, or its token was replaced. */
  async rightsNow({id, credential}: Pick<Principal, 'id' | 'credential'>): Promise<Rights> {
    const {editors, tokens} = this.#store.read()
    const valid = tokens.filter(
      (token) => credential === undefined || hashesOf(token).map(credentialOf).includes(credential),
    )
    return [...editors, ...valid].find((one) => one.id === id)?.rights ?? []
  }

  /** Adds a program and returns its token, which cannot be shown again. */
  async addToken(name: string, rights: Rights, id = randomUUID(), check = ALLOW): Promise<string> {
    const token = newSecret()
    const added = {id, name, rights, hash: digest(token)}
    this.#store.change((current, rows) => {
      check(current, added)
      rows.saveToken(added)
    })
    return token
  }

  /**
   * Gives a program a new token, by its name or id.
   * @param validFor milliseconds for which the one from before is accepted, too
   * @throws HttpError with one line when there is none, or several have the name
   */
  async rotateToken(nameOrId: string, validFor: number, check = ALLOW): Promise<string> {
    const token = newSecret()
    return this.#store.change((current, rows) => {
      const changed = withNewSecret(current, nameOrId, token, validFor)
      check(current, changed)
      rows.saveToken(changed)
      return token
    })
  }

  /**
   * Ends all sessions, and revokes the one-time links, of an editor or of everybody.
   * @returns how many editors
   * @throws HttpError with one line when there is no such editor
   */
  async signOut(email: string | undefined, check = ALLOW): Promise<number> {
    return this.#store.change((current, rows) => {
      const out = email === undefined ? current.editors : [editorOf(current, email)]
      for (const editor of out) {
        check(current, editor)
        rows.saveEditor({...withoutLink(editor), generation: randomUUID()})
      }
      return out.length
    })
  }

  /**
   * Removes an editor by e-mail address. Sessions and requests end at once.
   * @throws HttpError with one line when there is none
   */
  async removeEditor(email: string, check = ALLOW): Promise<void> {
    this.#store.change((current, rows) => {
      const removed = editorOf(current, email)
      check(current, removed)
      rows.remove(removed)
    })
  }

  /**
   * Revokes tokens by name, or one by its id. Requests with them end at once.
   * @throws HttpError with one line when there is none
   */
  async removeTokens(nameOrId: string, check = ALLOW): Promise<void> {
    this.#store.change((current, rows) => {
      for (const token of tokensNamed(current, nameOrId)) {
        check(current, token)
        rows.remove(token)
      }
    })
  }
}

/** @throws HttpError with one line when the address is taken */
function add(added: Editor, current: Credentials, rows: Rows, check: Check): void {
  check(current, added)
  if (byEmail(current, added.email) !== undefined)
    throw new HttpError(409, `an editor with the address ${added.email} already exists`)
  rows.saveEditor(added)
}

/** @throws HttpError with one line for an editor who signs in with a provider: others decide that */
function ownEditorOf(credentials: Credentials, email: string): Editor {
  const editor = editorOf(credentials, email)
  if (editor.identity === undefined) return editor
  const reason = 'the mapping file decides on rights, and there is no password'
  throw new HttpError(409, `${email} signs in with single sign-on: ${reason}`)
}

function principalOf({id, name, email, rights}: Editor): Principal {
  return {id, name, email, rights}
}

function signedIn(editor: Editor): SignedIn {
  return {editor: principalOf(editor), generation: editor.generation}
}
