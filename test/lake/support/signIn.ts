import assert from 'node:assert/strict'
import {mkdirSync} from 'node:fs'
import {join} from 'node:path'
import {State} from '../../../content/state/state.ts'
import {Accounts} from '../../../lake/access/accounts.ts'
import {AuditLog} from '../../../lake/audit/auditLog.ts'

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
export async function signInByLink(lake: Reachable & {stateFolder: string}, id: string): Promise<string> {
  const response = await pressLink(lake, await accountsIn(lake.stateFolder).makeLink(id))
  assert.equal(response.status, 303)
  return cookieOf(response)
}

/** A cost of scrypt that tests can afford; the real one takes 0.2 s. */
export const CHEAP_SCRYPT = {N: 2, r: 8, p: 2}

/** The folder of the database of a lake. */
export function stateFolderOf({directory}: {readonly directory: string}): string {
  return join(directory, 'handrail')
}

/** Opens the database in a folder, as another process would next to a lake. */
export function openStateIn(folder: string): State {
  mkdirSync(folder, {recursive: true})
  return State.open(folder)
}

/** The accounts in the database of a folder, with cheap hashes of passwords, as in a lake of `runLake`. */
export function accountsIn(folder: string): Accounts {
  return new Accounts(openStateIn(folder), CHEAP_SCRYPT)
}

/** Accounts in a database in memory. */
export function newAccounts(): Accounts {
  return new Accounts(State.inMemory(), CHEAP_SCRYPT)
}

/** The audit log in the database of a folder, as text. */
export function auditTextIn(folder: string): string {
  return new AuditLog(openStateIn(folder)).lines().join('\n')
}
