import {LRUCache} from 'lru-cache'
import {digest} from '../secrets.ts'

/**
 * Wrong passwords for one account within {@link WINDOW} milliseconds, from all addresses, before unknown
 * clients must wait.
 */
const MAX_WRONG = 20
const WINDOW = 15 * 60_000
/** Accounts, and pairs of account and client, that are remembered. */
const REMEMBERED = 10_000

/**
 * Counts wrong passwords by account, so having many addresses does not allow more guesses. Editors are never
 * locked out on a client from which they signed in before, and one-time links are not limited here.
 */
export class Attempts {
  readonly #wrong = new LRUCache<string, number>({max: REMEMBERED, ttl: WINDOW, noUpdateTTL: true})
  readonly #signedIn = new LRUCache<string, true>({max: REMEMBERED})

  /** Whether a client may try a password for an account. Unknown accounts are treated the same. */
  mayTry(email: string, client: string): boolean {
    const account = accountKey(email)
    return this.#signedIn.has(`${account} ${client}`) || (this.#wrong.get(account) ?? 0) < MAX_WRONG
  }

  /** Records the result of an attempt. */
  tried(email: string, client: string, right: boolean): void {
    const account = accountKey(email)
    if (right) this.#signedIn.set(`${account} ${client}`, true)
    else this.#wrong.set(account, (this.#wrong.get(account) ?? 0) + 1)
  }
}

/** Hashes to a fixed length, however long the submitted address is. */
function accountKey(email: string): string {
  return digest(email.toLowerCase())
}
