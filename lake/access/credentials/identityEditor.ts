import {randomUUID} from 'node:crypto'
import type {Rights} from '../rights/rights.ts'
import {byEmail, type Credentials, type Editor, type Identity} from './credentials.ts'

/** What an identity provider says about a person. */
export type Profile = Identity & {
  readonly name: string
  readonly email: string
  /** Whether the provider has verified that the address belongs to this person. */
  readonly isEmailVerified: boolean
}

/** Another editor has the address of a person who signs in. */
export class AddressTaken extends Error {}

/** The editor with an account at an identity provider. */
export function byIdentity({editors}: Credentials, {issuer, subject}: Identity): Editor | undefined {
  return editors.find(({identity}) => identity?.issuer === issuer && identity.subject === subject)
}

/**
 * The editor of an account, who has this profile and these rights from now on. An editor with the same verified address becomes
 * the editor of that account, and loses password, link and open sessions: the provider alone decides whether they may sign in.
 * @throws AddressTaken if the address is not verified, or belongs to another account
 */
export function withIdentity(
  current: Credentials,
  {issuer, subject, name, email, isEmailVerified}: Profile,
  rights: Rights,
): Editor {
  const identity = {issuer, subject}
  const known = byIdentity(current, identity)
  const sameAddress = byEmail(current, email)
  if (known !== undefined) {
    // Two editors never have the same address.
    const isFree = sameAddress === undefined || sameAddress.id === known.id
    return {...known, name, rights, ...(isFree && {email})}
  }
  if (sameAddress === undefined) return {id: randomUUID(), name, email, rights, identity}
  if (!isEmailVerified || sameAddress.identity !== undefined)
    throw new AddressTaken(`an editor with the address ${email} already exists`)
  return {id: sameAddress.id, name, email, rights, identity, generation: randomUUID()}
}
