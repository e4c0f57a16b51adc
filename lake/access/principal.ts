import type {Rights} from './rights/rights.ts'

/** An authenticated client: an editor in a browser, or a program with a token. */
export type Principal = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly rights: Rights
  /** Whether it is a program with a token. */
  readonly isProgram?: boolean
  /** Tells the token of a program from those that replace it. What was scheduled with one ends with it. */
  readonly credential?: string
}

/** A program as a principal. */
export function programNamed(id: string, name: string, rights: Rights, credential?: string): Principal {
  return {
    id,
    name,
    email: `${name.toLowerCase().replace(/[^a-z0-9]+/g, '-')}@localhost`,
    rights,
    isProgram: true,
    ...(credential !== undefined && {credential}),
  }
}
