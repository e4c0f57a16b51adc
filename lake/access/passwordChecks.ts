import {type BulkheadPolicy, BulkheadRejectedError, bulkhead} from 'cockatiel'
import {HttpError} from '../errors.ts'
import type {Accounts, SignedIn} from './accounts.ts'
import {Attempts} from './signIn/attempts.ts'

/**
 * Maximum concurrent password checks. Each takes 64 MiB and about 0.2 s of one of the four threads that also read
 * files. Others wait in a queue.
 */
export const CHECKED_AT_ONCE = 2
export const WAITING = 20

/** Compares passwords, a few at a time, and counts the wrong ones of each account. */
export class PasswordChecks {
  readonly #accounts: Accounts
  readonly #bulkhead: BulkheadPolicy = bulkhead(CHECKED_AT_ONCE, WAITING)
  readonly #attempts = new Attempts()

  constructor(accounts: Accounts) {
    this.#accounts = accounts
  }

  /**
   * The editor with an address and a password.
   * @returns `too many` if the client must wait before it may try again, undefined for a wrong password
   * @throws HttpError 429 if too many clients try at the same time
   */
  async check(email: string, password: string, client: string): Promise<SignedIn | 'too many' | undefined> {
    if (!this.#attempts.mayTry(email, client)) return 'too many'
    const found = await this.run(() => this.#accounts.byPassword(email, password))
    this.#attempts.tried(email, client, found !== undefined)
    return found
  }

  /**
   * Runs something that hashes a password.
   * @throws HttpError 429 if too many clients do so at the same time
   */
  async run<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await this.#bulkhead.execute(work)
    } catch (error) {
      if (!(error instanceof BulkheadRejectedError)) throw error
      throw new HttpError(429, 'Too many sign-ins at the same time, try again in 1 s', undefined, {
        'retry-after': '1',
      })
    }
  }
}
