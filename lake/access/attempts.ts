import {LRUCache} from 'lru-cache'
import {digest} from './secret.ts'

/** Wrong passwords for one account in {@link WINDOW} milliseconds, from wherever, after which strangers must wait. */
const MAX_WRONG = 20
const WINDOW = 15 * 60_000
/** Accounts, and accounts by client, that are remembered. */
const REMEMBERED = 10_000

/**
 * Wrong passwords, counted by account: whoever has many addresses guesses no faster. An editor is never locked out where
 * they signed in before, nor by a one-time link: neither asks here.
 */
export class Attempts {
  readonly #wrong = new LRUCache<string, number>({max: REMEMBERED, ttl: WINDOW, noUpdateTTL: true})
  readonly #signedIn = new LRUCache<string, true>({max: REMEMBERED})

  /** Whether a client may try a password for an account. One that does not exist is treated alike. */
  mayTry(email: string, client: string): boolean {
    const account = nameOf(email)
    return this.#signedIn.has(`${account} ${client}`) || (this.#wrong.get(account) ?? 0) < MAX_WRONG
  }

  /** What came of it. */
  tried(email: string, client: string, right: boolean): void {
    const account = nameOf(email)
    if (right) this.#signedIn.set(`${account} ${client}`, true)
    else this.#wrong.set(account, (this.#wrong.get(account) ?? 0) + 1)
  }
}

/** Of a fixed length, whatever somebody sends as an address. */
function nameOf(email: string): string {
  return digest(email.toLowerCase())
}
