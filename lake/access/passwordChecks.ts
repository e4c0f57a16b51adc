import {bulkhead} from 'cockatiel'
import {LRUCache} from 'lru-cache'
import type {Accounts, SignedIn} from './accounts.ts'
import {digest} from './secrets.ts'

/**
 * Maximum concurrent password checks. Each takes 64 MiB and about 0.2 s of one of the four threads that also read
 * files. Others wait in a queue, which the routes bound.
 */
const CHECKED_AT_ONCE = 2

/** Compares passwords, a few at a time, and counts the wrong ones of each account. */
export class PasswordChecks {
  readonly #accounts: Accounts
  readonly #bulkhead = bulkhead(CHECKED_AT_ONCE, Number.POSITIVE_INFINITY)
  readonly #attempts = new Attempts()

  constructor(accounts: Accounts) {
    this.#accounts = accounts
  }

  /**
   * The editor with an address and a password.
   * @returns `too many` if the client must wait before it may try again, undefined for a wrong password
   */
  async check(email: string, password: string, client: string): Promise<SignedIn | 'too many' | undefined> {
    if (!this.#attempts.mayTry(email, client)) return 'too many'
    const found = await this.run(() => this.#accounts.byPassword(email, password))
    this.#attempts.tried(email, client, found !== undefined)
    return found
  }

  /** Runs something that hashes a password. */
  run<T>(work: () => Promise<T>): Promise<T> {
    return this.#bulkhead.execute(work)
  }
}

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
