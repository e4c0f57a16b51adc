/**
 * What a person or a program may do, from most to least. An `administrator` also manages people and tokens, a
 * `publisher` changes and publishes content, an `author` changes drafts, a `viewer` reads drafts and history. A `reporter`
 * reports results of tests, and reads nothing.
 */
export const ROLES = ['administrator', 'publisher', 'author', 'viewer', 'reporter'] as const

export type Role = (typeof ROLES)[number]

/** Whether a role includes all that another one allows. */
export function includes(role: Role, other: Role): boolean {
  // Reviewers rely on reports: to read or to edit drafts is not enough.
  const least = other === 'reporter' && role !== other ? 'publisher' : other
  return ROLES.indexOf(role) <= ROLES.indexOf(least)
}
