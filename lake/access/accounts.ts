import {randomUUID} from 'node:crypto'
import type {SQLInputValue} from 'node:sqlite'
import {isDeepStrictEqual} from 'node:util'
import {newSecret} from '../../common/secret.ts'
import type {Row, State} from '../../content/state/state.ts'
import {HttpError} from '../errors.ts'
import type {Editor, Principal} from './principal.ts'
import {covers, mayGive, type Rights} from './rights/rights.ts'
import {digest, hashPassword, isPassword, SCRYPT_COST, type ScryptCost, unusableHash} from './secrets.ts'
import {ALLOW, type Check, rightsIn, Tokens, tokenIn} from './tokens.ts'

/** RFC 5321 §4.5.3.1.3, without the brackets. */
const MAX_EMAIL_LENGTH = 254

/** Milliseconds for which the link of an editor who has signed in before is valid. */
export const LINK_LIFETIME = 30 * 60_000

/** The same for a new editor, who first has to read the message with the link. */
const INVITATION_LIFETIME = 3 * 24 * 60 * 60_000

/** An editor who proved who they are, and the generation of sessions that this allows them to begin. */
export type SignedIn = {readonly editor: Principal; readonly generation: string | undefined}

/** What an identity provider says about a person. */
export type Profile = {
  readonly issuer: string
  readonly subject: string
  readonly name: string
  readonly email: string
  /** Whether the provider has verified that the address belongs to this person. */
  readonly isEmailVerified: boolean
}

export type Session = {
  readonly editorId: string
  /** The editor's generation when this session began. */
  readonly generation?: string | undefined
}

/** Another editor has the address of a person who signs in. */
export class AddressTaken extends Error {}

const WITHOUT_LINK = {link: null, link_expires_at: null, link_made_by: null}

/**
 * The people and programs that may use the lake. They are in its database, so that a clone of the content has no
 * passwords. Of passwords, tokens and links only hashes are stored. The command line may change them while the lake runs: each
 * change is a transaction.
 */
export class Accounts {
  readonly tokens: Tokens
  readonly #state: State
  readonly #scryptCost: ScryptCost
  /** Makes a password check take as long for an unknown e-mail address as for a known one. */
  readonly #unusableHash: string

  /** @param scryptCost what a guess at a password costs */
  constructor(state: State, scryptCost: ScryptCost = SCRYPT_COST) {
    this.#state = state
    this.tokens = new Tokens(state)
    this.#scryptCost = scryptCost
    this.#unusableHash = unusableHash(scryptCost)
  }

  editors(): Editor[] {
    return this.#state.all('SELECT * FROM editor ORDER BY rowid').map(editorIn)
  }

  editor(id: string): Editor | undefined {
    return this.#find('id = ?', id)
  }

  /** The editor with an e-mail address, in upper or lower case. */
  byEmail(email: string): Editor | undefined {
    return this.#find('email_key = ?', email.toLowerCase())
  }

  /** The editor of a session, unless the editor was removed or all of their sessions have been ended since. */
  bySession({editorId, generation}: Session): Editor | undefined {
    return this.#find('id = ? AND generation IS ?', editorId, generation ?? null)
  }

  /** The editor with an e-mail address and a password. Takes equally long when there is no such editor. */
  async byPassword(email: string, password: string): Promise<SignedIn | undefined> {
    const row = this.#state.get('SELECT * FROM editor WHERE email_key = ?', email.toLowerCase())
    const isRight = await isPassword(password, String(row?.password ?? this.#unusableHash))
    return isRight && row !== undefined ? signedIn(editorIn(row)) : undefined
  }

  /** Whom a one-time link signs in, which stays valid; undefined for one that is not valid any more. */
  peekLink(code: string): Editor | undefined {
    return this.#find('link = ? AND link_expires_at > ?', digest(code), Date.now())
  }

  /** Uses up a one-time link: of several calls with one code, one gets the editor. */
  async redeemLink(code: string): Promise<SignedIn | undefined> {
    // Clients can make up codes: take the lock only for a code that exists.
    if (this.peekLink(code) === undefined) return undefined
    return this.#state.transaction(() => {
      const editor = this.peekLink(code)
      if (editor === undefined) return undefined
      this.#state.run(
        'INSERT OR IGNORE INTO link_maker SELECT id, link_made_by FROM editor WHERE id = ? AND link_made_by IS NOT NULL',
        editor.id,
      )
      return signedIn(this.#update(editor.id, {is_invited: 0, ...WITHOUT_LINK}))
    })
  }

  /**
   * Signs in the editor with an account at an identity provider, who has this profile and these rights from now on. Adds an editor
   * for a new account. An editor with the same verified address becomes the editor of that account, and loses password, link
   * and open sessions: the provider alone decides whether they may sign in.
   * @param record takes also the rights before; undefined for a new editor
   * @throws AddressTaken if the address is not verified, or belongs to another account
   */
  async signInFrom(
    {issuer, subject, name, email, isEmailVerified}: Profile,
    rights: Rights,
    record: (editor: Principal, before: Rights | undefined) => void = () => {},
  ): Promise<SignedIn> {
    return this.#state.transaction(() => {
      const known = this.byIdentity(issuer, subject)
      const sameAddress = this.byEmail(email)
      // Two editors never have the same address.
      const isFree = sameAddress === undefined || sameAddress.id === known?.id
      const person = {name, rights, ...((known === undefined || isFree) && {email})}
      const account = {...columnsOf(person), issuer, subject}
      let editor: Editor
      if (known !== undefined)
        editor = isDeepStrictEqual({...known, ...person}, known) ? known : this.#update(known.id, account)
      else if (sameAddress === undefined) editor = this.#insert(account)
      else if (!isEmailVerified || sameAddress.usesSingleSignOn)
        throw new AddressTaken(`an editor with the address ${email} already exists`)
      else {
        this.#state.run('DELETE FROM link_maker WHERE editor_id = ?', sameAddress.id)
        const lost = {password: null, ...WITHOUT_LINK, is_invited: 0, generation: randomUUID()}
        editor = this.#update(sameAddress.id, {...account, ...lost})
      }
      record(principalOf(editor), (known ?? sameAddress)?.rights)
      return signedIn(editor)
    })
  }

  /** The editor with an account at an identity provider. */
  byIdentity(issuer: string, subject: string): Editor | undefined {
    return this.#find('issuer = ? AND subject = ?', issuer, subject)
  }

  /** The account of an editor at an identity provider. */
  subjectOf(id: string, issuer: string): string | undefined {
    const row = this.#state.get('SELECT subject FROM editor WHERE id = ? AND issuer = ?', id, issuer)
    return row && String(row.subject)
  }

  /**
   * Adds an editor. Without a password, only a one-time link signs them in.
   * @throws HttpError with one line when the address is taken
   */
  async addEditor(editor: Omit<Principal, 'id'>, password?: string, check = ALLOW): Promise<Principal> {
    const hash = password === undefined ? null : await hashPassword(password, this.#scryptCost)
    return principalOf(this.#add(editor, {password: hash}, check))
  }

  /**
   * Adds an editor who has not signed in yet, and makes the code of a one-time link. Until they have, their links are
   * valid for longer.
   * @param by the id of the administrator who invites them
   * @throws HttpError with one line when the address is taken
   */
  async invite(editor: Omit<Principal, 'id'>, check = ALLOW, by?: string) {
    const code = newSecret()
    const added = this.#add(editor, {is_invited: 1, ...linkColumns(code, INVITATION_LIFETIME, by)}, check)
    return {editor: principalOf(added), code}
  }

  /**
   * Makes the code of a one-time link for an editor. It replaces an earlier one.
   * @param by the id of the administrator who makes it
   * @throws HttpError with one line when there is no such editor
   */
  async makeLink(id: string, check = ALLOW, by?: string): Promise<string> {
    const code = newSecret()
    this.#state.transaction(() => {
      const editor = this.editor(id)
      if (editor === undefined) throw new HttpError(404, 'the editor has been removed')
      check(editor)
      const lifetime = editor.isInvited ? INVITATION_LIFETIME : LINK_LIFETIME
      // Of one's own link, no other person could have set the password.
      this.#update(id, linkColumns(code, lifetime, by === id ? undefined : by))
    })
    return code
  }

  /**
   * Changes an editor's rights. Fewer rights apply to open sessions as well. If there are more, sessions end, and the
   * one-time link is revoked: somebody who could not have given these rights may have made the link. So is the password, if
   * such a person could have set it: they would sign in with rights that others decided on.
   * @throws HttpError with one line when there is no such editor
   */
  async setRights(email: string, rights: Rights, check = ALLOW): Promise<Principal> {
    return this.#state.transaction(() => {
      const editor = this.#ownEditor(email)
      const {id} = editor
      check(editor)
      if (isDeepStrictEqual(editor.rights, rights)) return principalOf(editor)
      const columns = columnsOf({rights})
      if (covers(editor.rights, rights)) return principalOf(this.#update(id, columns))
      const makers = this.#state.all('SELECT maker_id FROM link_maker WHERE editor_id = ?', id)
      const isTrusted = makers.every(({maker_id}) => mayGive(this.rightsOf(String(maker_id)), rights))
      if (!isTrusted) this.#state.run('DELETE FROM link_maker WHERE editor_id = ?', id)
      const ended = {generation: randomUUID(), ...WITHOUT_LINK, ...(!isTrusted && {password: null})}
      return principalOf(this.#update(id, {...columns, ...ended}))
    })
  }

  /**
   * Changes an editor's password, or removes it, ends their sessions and revokes their one-time link.
   * @throws HttpError with one line when there is no such editor
   */
  async setPassword(email: string, password: string | undefined, check = ALLOW): Promise<SignedIn> {
    const hash = password === undefined ? null : await hashPassword(password, this.#scryptCost)
    return this.#state.transaction(() => {
      const editor = this.#ownEditor(email)
      check(editor)
      const changed = {password: hash, is_invited: 0, generation: randomUUID(), ...WITHOUT_LINK}
      return signedIn(this.#update(editor.id, changed))
    })
  }

  /** The rights of an editor or a token; none if it was removed. */
  rightsOf(id: string): Rights {
    const sql = 'SELECT rights FROM editor WHERE id = ? UNION ALL SELECT rights FROM token WHERE id = ?'
    const row = this.#state.get(sql, id, id)
    return row === undefined ? [] : rightsIn(row)
  }

  /**
   * Ends all sessions, and revokes the one-time links, of an editor or of everybody.
   * @returns how many editors
   * @throws HttpError with one line when there is no such editor
   */
  async signOut(email: string | undefined, check = ALLOW): Promise<number> {
    return this.#state.transaction(() => {
      const out = email === undefined ? this.editors() : [this.#existing(email)]
      for (const editor of out) {
        check(editor)
        this.#update(editor.id, {generation: randomUUID(), ...WITHOUT_LINK})
      }
      return out.length
    })
  }

  /**
   * Removes an editor by e-mail address. Sessions and requests end at once.
   * @throws HttpError with one line when there is none
   */
  async removeEditor(email: string, check = ALLOW): Promise<void> {
    this.#state.transaction(() => {
      const editor = this.#existing(email)
      check(editor)
      this.#state.run('DELETE FROM editor WHERE id = ?', editor.id)
    })
  }

  #find(condition: string, ...values: SQLInputValue[]): Editor | undefined {
    const row = this.#state.get(`SELECT * FROM editor WHERE ${condition}`, ...values)
    return row && editorIn(row)
  }

  /** @throws HttpError with one line when there is none */
  #existing(email: string): Editor {
    const editor = this.byEmail(email)
    if (editor === undefined) throw new HttpError(404, `editor "${email}" not found`)
    return editor
  }

  /** @throws HttpError with one line for an editor who signs in with a provider: others decide that */
  #ownEditor(email: string): Editor {
    const editor = this.#existing(email)
    if (!editor.usesSingleSignOn) return editor
    const reason = 'the mapping file decides on rights, and there is no password'
    throw new HttpError(409, `${email} signs in with single sign-on: ${reason}`)
  }

  /** @throws HttpError with one line when the address is taken */
  #add(editor: Omit<Principal, 'id'>, columns: Columns, check: Check): Editor {
    return this.#state.transaction(() => {
      const id = randomUUID()
      check({...editor, id})
      if (this.byEmail(editor.email) !== undefined)
        throw new HttpError(409, `an editor with the address ${editor.email} already exists`)
      return this.#insert({id, ...columnsOf(editor), ...columns})
    })
  }

  #insert(columns: Columns): Editor {
    const row = {id: randomUUID(), ...columns}
    const names = Object.keys(row)
    const sql = `INSERT INTO editor (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')}) RETURNING *`
    return editorIn(this.#state.get(sql, ...Object.values(row)) ?? {})
  }

  #update(id: string, columns: Columns): Editor {
    const assignments = Object.keys(columns).map((name) => `${name} = ?`)
    const sql = `UPDATE editor SET ${assignments.join(', ')} WHERE id = ? RETURNING *`
    return editorIn(this.#state.get(sql, ...Object.values(columns), id) ?? {})
  }
}

type Columns = Readonly<Record<string, SQLInputValue>>

function columnsOf({name, email, rights}: Partial<Principal>): Columns {
  return {
    ...(name !== undefined && {name}),
    ...(email !== undefined && {email, email_key: email.toLowerCase()}),
    ...(rights !== undefined && {rights: JSON.stringify(rights)}),
  }
}

function linkColumns(code: string, lifetime: number, madeBy: string | undefined): Columns {
  return {link: digest(code), link_expires_at: Date.now() + lifetime, link_made_by: madeBy ?? null}
}

function editorIn(row: Row): Editor {
  return {
    ...tokenIn(row),
    email: String(row.email),
    hasPassword: row.password !== null,
    isInvited: row.is_invited === 1,
    usesSingleSignOn: row.issuer !== null,
    generation: row.generation === null ? undefined : String(row.generation),
  }
}

function principalOf({id, name, email, rights}: Editor): Principal {
  return {id, name, email, rights}
}

function signedIn(editor: Editor): SignedIn {
  return {editor: principalOf(editor), generation: editor.generation}
}

/** Whether a text looks like an e-mail address. */
export function isEmail(text: string): boolean {
  return text.length <= MAX_EMAIL_LENGTH && /^[^@\s\p{Cc}]+@[^@\s\p{Cc}]+$/u.test(text)
}
