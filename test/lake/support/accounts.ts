import {Accounts} from '../../../lake/access/accounts.ts'

/** A cost of scrypt that tests can afford; the real one takes 0.2 s. */
export const CHEAP_SCRYPT = {N: 2, r: 8, p: 2}

/** The accounts in a file, with cheap hashes of passwords, as in a lake of `runLake`. */
export function accountsIn(editorsFile: string): Accounts {
  return new Accounts(editorsFile, {scryptCost: CHEAP_SCRYPT})
}
