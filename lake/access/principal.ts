import type {Rights} from './rights/rights.ts'

/** An authenticated client: an editor in a browser, or a program with a token. */
export type Principal = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly rights: Rights
  /** Whether it is a program with a token. */
  readonly isProgram?: boolean
  /** Tells a token of the environment from those that replace it. What was scheduled with one ends with it. */
  readonly credential?: string
}

/** A program as a principal. */
export function programNamed(id: string, name: string, rights: Rights): Principal {
  return {
    id,
    name,
    email: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@localhost`,
    rights,
    isProgram: true,
  }
}

/** An editor, with what decides how they sign in. */
export type Editor = Principal & {
  readonly hasPassword: boolean
  /** Whether the editor was invited and has not signed in yet. */
  readonly isInvited: boolean
  /** Whether an account at an identity provider signs the editor in. */
  readonly usesSingleSignOn: boolean
  /** Replaced to end all sessions of the editor: a session is valid only while it has the same value. */
  readonly generation: string | undefined
}
