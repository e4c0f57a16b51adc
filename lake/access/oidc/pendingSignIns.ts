import {createHmac, randomBytes} from 'node:crypto'
import {LRUCache} from 'lru-cache'
import {isJsonObject} from '../../../common/json.ts'
import {isSameSecret} from '../../../common/secret.ts'
import {PENDING_MAX_AGE} from '../signIn/cookie.ts'

/** Milliseconds that a person has to sign in at the provider. */
const PENDING_LIFETIME = PENDING_MAX_AGE * 1000

/** Maximum sign-ins whose state is remembered, so that none is completed twice. */
const REMEMBERED = 10_000

/** What a sign-in that began must be completed with. */
export type PendingSignIn = {
  readonly state: string
  readonly nonce: string
  /** The PKCE code verifier (RFC 7636). */
  readonly verifier: string
  /** The path of the lake to continue at. */
  readonly to: string
}

/**
 * Sign-ins that began at the provider and are not complete. Each is in a cookie of the browser that began it:
 * no other browser can complete it, and requests of strangers take no memory here. The key of the signatures
 * is in memory only: after a restart, people click "Sign in" again. So times are those of this process, which no
 * change of the system clock affects.
 */
export class PendingSignIns {
  readonly #key = randomBytes(32)
  readonly #completed = new LRUCache<string, true>({max: REMEMBERED, ttl: PENDING_LIFETIME})

  /** Makes the value of the cookie. */
  seal(pending: PendingSignIn): string {
    const text = JSON.stringify({...pending, expiresAt: performance.now() + PENDING_LIFETIME})
    const payload = Buffer.from(text).toString('base64url')
    return `${payload}.${this.#sign(payload)}`
  }

  /**
   * Takes a sign-in from its cookie. Returns undefined if it is forged, expired or was taken before, or if it is not
   * the one that the callback is about: that one stays as it is, because another tab may complete it.
   * @param expectedState the state in the address of the callback
   */
  take(value: string | undefined, expectedState: string | null): PendingSignIn | undefined {
    const [payload = '', signature = ''] = value?.split('.') ?? []
    if (!isSameSecret(signature, this.#sign(payload))) return undefined
    const pending: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    if (!isJsonObject(pending)) return undefined
    const {state, nonce, verifier, to, expiresAt} = pending
    if (typeof expiresAt !== 'number' || expiresAt < performance.now()) return undefined
    if (typeof state !== 'string' || state !== expectedState || this.#completed.has(state)) return undefined
    if (typeof nonce !== 'string' || typeof verifier !== 'string' || typeof to !== 'string') return undefined
    this.#completed.set(state, true)
    return {state, nonce, verifier, to}
  }

  #sign(payload: string): string {
    return createHmac('sha256', this.#key).update(payload).digest('base64url')
  }
}
