import assert from 'node:assert/strict'
import {Accounts} from '../../../lake/access/accounts.ts'

/** A lake at the address that the browser uses. */
type Reachable = {readonly address: string}

/** Submits the form on the page of a one-time link. */
export function pressLink(
  {address}: Reachable,
  code: string,
  {headers = {}, to = '/'}: {headers?: Record<string, string>; to?: string} = {},
): Promise<Response> {
  return fetch(`${address}/login`, {
    method: 'POST',
    redirect: 'manual',
    headers: {origin: address, ...headers},
    body: new URLSearchParams({code, to}),
  })
}

/** The part of `Set-Cookie` that a browser sends back. */
export function cookieOf(response: Response): string {
  return response.headers.get('set-cookie')?.split(';')[0] ?? ''
}

/** Signs an editor in with a one-time link and returns the cookie. */
export async function signInByLink(lake: Reachable & {editorsFile: string}, id: string): Promise<string> {
  const response = await pressLink(lake, await accountsIn(lake.editorsFile).makeLink(id))
  assert.equal(response.status, 303)
  return cookieOf(response)
}

/** A cost of scrypt that tests can afford; the real one takes 0.2 s. */
export const CHEAP_SCRYPT = {N: 2, r: 8, p: 2}

/** The accounts in a file, with cheap hashes of passwords, as in a lake of `runLake`. */
export function accountsIn(editorsFile: string): Accounts {
  return new Accounts(editorsFile, {scryptCost: CHEAP_SCRYPT})
}
