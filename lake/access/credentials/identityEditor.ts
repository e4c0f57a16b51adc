import {randomUUID} from 'node:crypto'
import {isDeepStrictEqual} from 'node:util'
import type {Rights} from '../rights/rights.ts'
import {byEmail, type Credentials, type Editor, type Identity, replaceEditor} from './credentials.ts'

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
 * The credentials with the editor of an account, who has this profile and these rights from now on. An editor
 * with the same verified address becomes the editor of that account, and loses password, link and open
 * sessions: the provider alone decides whether they may sign in.
 * @throws AddressTaken if the address is not verified, or belongs to another account
 */
export function withIdentity(
  current: Credentials,
  {issuer, subject, name, email, isEmailVerified}: Profile,
  rights: Rights,
): readonly [Credentials, Editor] {
  const identity = {issuer, subject}
  const known = byIdentity(current, identity)
  const sameAddress = byEmail(current, email)
  if (known !== undefined) {
    // Two editors never have the same address.
    const isFree = sameAddress === undefined || sameAddress.id === known.id
    const changed = {...known, name, rights, ...(isFree && {email})}
    return isDeepStrictEqual(changed, known) ? [current, known] : [replaceEditor(current, changed), changed]
  }
  if (sameAddress === undefined) {
    const added = {id: randomUUID(), name, email, rights, identity}
    return [{...current, editors: [...current.editors, added]}, added]
  }
  if (!isEmailVerified || sameAddress.identity !== undefined)
    throw new AddressTaken(`an editor with the address ${email} already exists`)
  const linked = {id: sameAddress.id, name, email, rights, identity, generation: randomUUID()}
  return [replaceEditor(current, linked), linked]
}
