import {LRUCache} from 'lru-cache'
import {newSecret} from '../../../common/secret.ts'
import {PENDING_MAX_AGE} from '../signIn/cookie.ts'

/** Maximum sign-ins that are pending. A client may begin ten in a minute. */
const MAX_PENDING = 100_000

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
 * Sign-ins that began at the provider and are not complete. A cookie of the browser that began one names it: no other browser can
 * complete it. They are in memory only: after a restart, people click "Sign in" again.
 */
export class PendingSignIns {
  readonly #pending = new LRUCache<string, PendingSignIn>({max: MAX_PENDING, ttl: PENDING_MAX_AGE * 1_000})

  /** Returns the value of the cookie. */
  add(pending: PendingSignIn): string {
    const id = newSecret()
    this.#pending.set(id, pending)
    return id
  }

  /**
   * Takes a sign-in. Returns undefined if it is unknown, expired or was taken before, or if it is not the one that the
   * callback is about: that one stays as it is, because another tab may complete it.
   * @param expectedState the state in the address of the callback
   */
  take(id = '', expectedState: string | null): PendingSignIn | undefined {
    const pending = this.#pending.get(id)
    if (pending?.state !== expectedState) return undefined
    this.#pending.delete(id)
    return pending
  }
}
