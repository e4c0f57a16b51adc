import {errorMessage} from '../../../common/errorMessage.ts'
import type {SessionInfo, Sessions} from '../signIn/sessions.ts'
import type {AccessLogger} from './mapping.ts'
import {type Identified, type Provider, ProviderRefusal, type Tokens} from './provider.ts'

/** Milliseconds between two checks of a session that is in use. */
const CHECK_EVERY = 3 * 60_000

/** An account that may not sign in any more. */
export class AccountRefused extends Error {}

/** What is known of a session: with which tokens the provider is asked, and its last check, which may still run. */
type Known = {
  tokens: Tokens
  startedAt: number
  /** Whether requests wait for the result: the session was not in use before. */
  isAwaited: boolean
  /** Whether the session goes on. */
  result: Promise<boolean>
}

type Options = {
  readonly provider: Pick<Provider, 'renew'>
  readonly sessions: Sessions
  /** Default: {@link CHECK_EVERY}. */
  readonly every?: number | undefined
  readonly logger: AccessLogger
  /** The account of an editor at the provider; undefined if there is none any more. */
  readonly subjectOf: (editorId: string) => string | undefined
  /**
   * Applies what the provider says about a person now.
   * @throws AccountRefused if they have no rights any more
   */
  readonly apply: (identified: Identified) => Promise<unknown>
  /** Called after a session of an editor was ended. */
  readonly onEnd: (editorId: string) => void
}

/**
 * Asks the provider about sessions while they are in use, so that an account that was switched off there
 * loses its sessions here. Unused sessions send no requests; they are checked when they are used again. While
 * the provider is unavailable, sessions go on until they expire. Tokens are in memory only: after a restart, people sign in again.
 */
export class SessionChecks {
  readonly #options: Options
  readonly #every: number
  /** By session. A session without an entry is refused. */
  readonly #known = new Map<string, Known>()

  constructor(options: Options) {
    this.#options = options
    this.#every = options.every ?? CHECK_EVERY
  }

  /** Notes the tokens of a session that has just begun. */
  began(secret: string, tokens: Tokens): void {
    const {sessions} = this.#options
    for (const id of this.#known.keys()) if (!sessions.has(id)) this.#known.delete(id)
    const session = sessions.find(secret)
    if (session === undefined) return
    const result = Promise.resolve(true)
    this.#known.set(session.id, {tokens, startedAt: performance.now(), isAwaited: false, result})
  }

  /**
   * Whether a session goes on. A check that is due runs in the background; one that is long overdue, because
   * the session was not in use, is awaited.
   */
  async admits(session: SessionInfo): Promise<boolean> {
    const known = this.#known.get(session.id)
    if (known === undefined) return false
    const age = performance.now() - known.startedAt
    if (age < this.#every) return known.isAwaited ? known.result : true
    known.startedAt = performance.now()
    known.isAwaited = age >= 2 * this.#every
    known.result = this.#check(session, known).catch((error: unknown) => {
      // A problem with the lake's own database ends no session.
      this.#options.logger.error(`A session cannot be checked: ${errorMessage(error)}`)
      return true
    })
    return known.isAwaited ? known.result : true
  }

  async #check(session: SessionInfo, known: Known): Promise<boolean> {
    const {provider, logger, subjectOf, apply} = this.#options
    const subject = subjectOf(session.editorId)
    if (subject === undefined) return this.#end(session)
    const keep = (tokens: Tokens) => {
      known.tokens = tokens
    }
    try {
      await apply(await provider.renew(subject, known.tokens, keep))
      return true
    } catch (error) {
      if (!(error instanceof ProviderRefusal || error instanceof AccountRefused)) return true
      logger.info(`Ended a session of the editor ${session.editorId}: ${error.message}`)
      return this.#end(session)
    }
  }

  #end({id, editorId}: SessionInfo): boolean {
    this.#known.delete(id)
    try {
      this.#options.sessions.end([id], () => this.#options.onEnd(editorId))
    } catch (error) {
      this.#options.logger.error(`An ended session cannot be deleted: ${errorMessage(error)}`)
    }
    return false
  }
}
