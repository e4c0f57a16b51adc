/**
 * What a person or a program may do, from most to least. An `administrator` also manages people and tokens, a
 * `publisher` changes and publishes content, an `author` changes drafts, a `viewer` reads drafts and history.
 */
export const ROLES = ['administrator', 'publisher', 'author', 'viewer'] as const

export type Role = (typeof ROLES)[number]

/** The role with a name; undefined if there is none. A publisher was called `editor` in version 0.1. */
export function roleNamed(name: unknown): Role | undefined {
  return name === 'editor' ? 'publisher' : ROLES.find((role) => role === name)
}

/** Whether a role includes all that another one allows. */
export function includes(role: Role, other: Role): boolean {
  return ROLES.indexOf(role) <= ROLES.indexOf(other)
}
