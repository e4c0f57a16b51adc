import {createCipheriv, createDecipheriv, hkdfSync, randomBytes} from 'node:crypto'
import {errorMessage} from '../../../common/errorMessage.ts'
import {isJsonObject} from '../../../common/json.ts'
import type {FoundSession, Sessions} from '../signIn/sessions.ts'
import type {AccessLogger} from './mapping.ts'
import {type Identified, type Provider, ProviderRefusal, type Tokens} from './provider.ts'

/** Milliseconds between two checks of a session that is in use. */
const CHECK_EVERY = 3 * 60_000

/** An account that may not sign in any more. */
export class AccountRefused extends Error {}

/** An account whose groups the provider did not send. */
export class GroupsMissing extends AccountRefused {}

/** The last check of a session, which may still run. */
type Check = {
  readonly startedAt: number
  /** Whether requests wait for the result: the session was not in use before. */
  readonly isAwaited: boolean
  /** Whether the session goes on. */
  readonly result: Promise<boolean>
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
 * the provider is unavailable, sessions go on until they expire.
 */
export class SessionChecks {
  readonly #options: Options
  readonly #every: number
  /** By session. Without an entry, the session is checked before it is used. */
  readonly #checks = new Map<string, Check>()
  /** Sessions that are refused, also if the change could not be saved. */
  readonly #ended = new Set<string>()

  constructor(options: Options) {
    this.#options = options
    this.#every = options.every ?? CHECK_EVERY
  }

  /** Notes that a session has just begun. */
  began(secret: string): void {
    const session = this.#options.sessions.find(secret)
    if (session === undefined) return
    this.#forgetEnded()
    const result = Promise.resolve(true)
    this.#checks.set(session.id, {startedAt: performance.now(), isAwaited: false, result})
  }

  /**
   * Whether a session goes on. A check that is due runs in the background; one that is long overdue, because
   * the session was not in use, is awaited.
   */
  async admits(session: FoundSession, secret: string): Promise<boolean> {
    if (this.#ended.has(session.id)) return false
    const last = this.#checks.get(session.id)
    const age = last === undefined ? Number.POSITIVE_INFINITY : performance.now() - last.startedAt
    if (last !== undefined && age < this.#every) return last.isAwaited ? last.result : true
    const isAwaited = age >= 2 * this.#every
    const result = this.#check(session, secret).catch((error: unknown) => {
      // A problem with the lake's own database ends no session.
      this.#options.logger.error(`A session cannot be checked: ${errorMessage(error)}`)
      return true
    })
    const check = {startedAt: performance.now(), isAwaited, result}
    this.#checks.set(session.id, check)
    return isAwaited ? check.result : true
  }

  async #check(session: FoundSession, secret: string): Promise<boolean> {
    const {provider, sessions, logger, subjectOf, apply} = this.#options
    const key = tokenKey(secret)
    const tokens = openTokens(session.sealed ?? '', key)
    const subject = subjectOf(session.editorId)
    if (tokens === undefined || subject === undefined) return this.#end(session)
    const keep = (renewed: Tokens) => {
      if (hasChanged(tokens, renewed)) sessions.reseal(session.id, sealTokens(renewed, key))
    }
    try {
      await apply(await provider.renew(subject, tokens, keep))
      return true
    } catch (error) {
      if (!(error instanceof ProviderRefusal || error instanceof AccountRefused)) return true
      logger.info(`Ended a session of the editor ${session.editorId}: ${error.message}`)
      return this.#end(session)
    }
  }

  #end({id, editorId}: FoundSession): boolean {
    this.#ended.add(id)
    try {
      this.#options.sessions.end([id], () => this.#options.onEnd(editorId))
    } catch (error) {
      this.#options.logger.error(`An ended session cannot be deleted: ${errorMessage(error)}`)
    }
    return false
  }

  #forgetEnded(): void {
    for (const ids of [this.#checks, this.#ended])
      for (const id of ids.keys()) if (!this.#options.sessions.has(id)) ids.delete(id)
  }
}

/** An access token alone is never renewed, and with a refresh token it is not needed. */
function hasChanged(before: Tokens, after: Tokens): boolean {
  return (
    before.refreshToken !== after.refreshToken ||
    JSON.stringify(before.idClaims) !== JSON.stringify(after.idClaims)
  )
}

const CIPHER = 'aes-256-gcm'
const IV_BYTES = 12
const TAG_BYTES = 16

/** The key that protects the tokens of a session, from the secret in its cookie. */
export function tokenKey(secret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, '', 'handrail tokens of a session', 32))
}

/**
 * Encrypts the tokens of a session for their row. The key is not in the database: who reads it, or a
 * backup of it, learns no token.
 */
export function sealTokens(tokens: Tokens, key: Buffer): string {
  const iv = randomBytes(IV_BYTES)
  const cipher = createCipheriv(CIPHER, key, iv)
  const sealed = Buffer.concat([cipher.update(JSON.stringify(tokens)), cipher.final()])
  return Buffer.concat([iv, cipher.getAuthTag(), sealed]).toString('base64url')
}

/** Decrypts what {@link sealTokens} made. Returns undefined if it is damaged. */
function openTokens(text: string, key: Buffer): Tokens | undefined {
  const bytes = Buffer.from(text, 'base64url')
  try {
    const decipher = createDecipheriv(CIPHER, key, bytes.subarray(0, IV_BYTES))
    decipher.setAuthTag(bytes.subarray(IV_BYTES, IV_BYTES + TAG_BYTES))
    const opened = Buffer.concat([decipher.update(bytes.subarray(IV_BYTES + TAG_BYTES)), decipher.final()])
    return parseTokens(JSON.parse(opened.toString()))
  } catch {
    return undefined
  }
}

function parseTokens(value: unknown): Tokens | undefined {
  if (!isJsonObject(value)) return undefined
  const {accessToken, refreshToken, idClaims} = value
  if (typeof accessToken !== 'string' || !isJsonObject(idClaims)) return undefined
  if (refreshToken !== undefined && typeof refreshToken !== 'string') return undefined
  return {accessToken, refreshToken, idClaims}
}
