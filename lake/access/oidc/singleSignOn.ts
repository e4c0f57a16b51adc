import {isDeepStrictEqual} from 'node:util'
import {StateError} from '../../../content/state/state.ts'
import {type Actor, type Audit, actorOf} from '../../audit/events.ts'
import type {SingleSignOnSettings} from '../../settings.ts'
import {type Accounts, AddressTaken, type SignedIn} from '../accounts.ts'
import type {Principal} from '../principal.ts'
import {describeRights, mayUse, type Rights, type SiteName} from '../rights/rights.ts'
import {PROVIDER_SESSION_LIFETIME, type SessionOptions, type Sessions} from '../signIn/sessions.ts'
import {
  type AccessLogger,
  MappingFile,
  mappedRights,
  mismatchOf,
  profileOf,
  withTrustedEmail,
} from './mapping.ts'
import {PendingSignIns} from './pendingSignIns.ts'
import {type Identified, Provider, ProviderRefusal, type Tokens} from './provider.ts'
import {AccountRefused, SessionChecks} from './sessionChecks.ts'

/**
 * Milliseconds for which a session is valid if the provider can neither be asked about it nor says how long its
 * token is valid.
 */
const UNCHECKED_LIFETIME = 60 * 60_000

/** Why a sign-in failed. The sign-in page has a text for each. */
export type Failure = 'began elsewhere' | 'refused' | 'unavailable' | 'no rights' | 'address taken'

/** A person who signed in at the provider. */
type Completed = SignedIn & {readonly to: string; readonly session: SessionOptions; readonly tokens: Tokens}

const REFUSALS = [
  [AccountRefused, 'no rights'],
  [AddressTaken, 'address taken'],
  [ProviderRefusal, 'refused'],
] as const

type Options = {
  readonly accounts: Accounts
  readonly sessions: Sessions
  readonly siteName: SiteName
  readonly logger: AccessLogger
  readonly audit: Audit
}

/** Signs editors in with an OpenID Connect provider, and follows what the provider says about them later. */
export class SingleSignOn {
  /** What people call the provider. */
  readonly name: string
  readonly provider: Provider
  /** Of the sessions of people who signed in here. */
  readonly checks: SessionChecks
  readonly #settings: SingleSignOnSettings
  readonly #options: Options
  readonly #mapping: MappingFile
  readonly #pending = new PendingSignIns()
  /** The provider, as the audit log names it. */
  readonly #actor: Actor

  constructor(settings: SingleSignOnSettings, options: Options) {
    const {accounts, sessions, logger} = options
    this.name = new URL(settings.issuer).hostname
    this.#settings = settings
    this.#options = options
    this.#actor = {id: '<single-sign-on>', name: this.name, email: ''}
    this.provider = new Provider(settings, logger)
    this.#mapping = new MappingFile(settings.rightsFile, logger)
    this.checks = new SessionChecks({
      provider: this.provider,
      sessions,
      every: settings.checkEvery,
      logger,
      subjectOf: (editorId) => accounts.subjectOf(editorId, settings.issuer),
      apply: (identified) => this.#apply(identified),
      onEnd: (editorId) => this.#recordEnd(editorId),
    })
  }

  /** @throws Error with one line if the mapping file cannot be used */
  async checkMapping(): Promise<void> {
    await this.#mapping.read()
  }

  /**
   * Begins a sign-in.
   * @param redirectUri where the provider sends the browser back to
   * @param to the path of the lake to continue at
   * @returns the address at the provider, and the value of the cookie that completes the sign-in
   */
  async begin(
    redirectUri: string,
    to: string,
  ): Promise<{readonly address: string; readonly cookie: string} | Failure> {
    try {
      const {address, ...pending} = await this.provider.begin(redirectUri)
      return {address, cookie: this.#pending.add({...pending, to})}
    } catch {
      return 'unavailable'
    }
  }

  /**
   * Completes a sign-in.
   * @param address the public address to which the provider sent the browser
   * @throws StateError if the editor cannot be saved
   */
  async finish(address: URL, cookie: string | undefined): Promise<Completed | Failure> {
    const pending = this.#pending.take(cookie, address.searchParams.get('state'))
    if (pending === undefined) return 'began elsewhere'
    try {
      const identified = await this.provider.finish(address, pending)
      const signedIn = await this.#apply(identified)
      return {...signedIn, to: pending.to, session: sessionOf(identified), tokens: identified.tokens}
    } catch (error) {
      if (error instanceof StateError) throw error
      return this.#failureOf(error)
    }
  }

  /** @throws AccountRefused without rights, AddressTaken, StateError, or Error if the mapping cannot be used */
  async #apply({subject, claims: given}: Identified): Promise<SignedIn> {
    const {issuer, trustEmail} = this.#settings
    const {accounts} = this.#options
    const claims = trustEmail ? withTrustedEmail(given) : given
    const mapping = await this.#mapping.read()
    const rights = mappedRights(mapping, claims)
    const profile = profileOf(issuer, subject, claims)
    const isRefused = !mayUse(rights, 'read')
    if (!isRefused || accounts.byIdentity(issuer, subject) !== undefined) {
      const signedIn = await accounts.signInFrom(profile, rights, (editor, before) =>
        this.#recordRights(editor, before),
      )
      if (!isRefused) return signedIn
    }
    throw new AccountRefused(
      `no rule of the mapping file gives rights to ${profile.email}${mismatchOf(mapping, claims)}`,
    )
  }

  #recordRights(editor: Principal, before: Rights | undefined): void {
    const {audit, siteName} = this.#options
    const describe = (rights: Rights) => describeRights(rights, siteName)
    const [by, about, rights] = [this.#actor, actorOf(editor), describe(editor.rights)]
    if (before === undefined) audit.record({type: 'people.added', by, about, rights})
    else if (!isDeepStrictEqual(before, editor.rights))
      audit.record({type: 'people.rightsChanged', by, about, before: describe(before), rights})
  }

  #recordEnd(editorId: string): void {
    const {accounts, audit} = this.#options
    const editor = accounts.editor(editorId)
    if (editor === undefined) return
    audit.record({type: 'people.sessionsEnded', by: this.#actor, about: actorOf(editor), count: 1})
  }

  #failureOf(error: unknown): Failure {
    for (const [refusal, failure] of REFUSALS) {
      if (!(error instanceof refusal)) continue
      this.#options.logger.info(`Refused a sign-in: ${error.message}`)
      return failure
    }
    // The log has the reason.
    return 'unavailable'
  }
}

function sessionOf({canBeChecked, expiresIn}: Identified): SessionOptions {
  const unchecked =
    expiresIn === undefined ? UNCHECKED_LIFETIME : Math.min(expiresIn * 1000, PROVIDER_SESSION_LIFETIME)
  return {lifetime: canBeChecked ? PROVIDER_SESSION_LIFETIME : unchecked}
}
