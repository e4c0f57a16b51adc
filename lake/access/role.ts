/**
 * What a person or a program may do. `viewer` reads drafts and history, `editor` changes content. To the
 * lake, `administrator` is the same as `editor`; Studio also shows administrators the project's settings.
 */
export const ROLES = ['administrator', 'editor', 'viewer'] as const

export type Role = (typeof ROLES)[number]

/** The permission that a route requires. */
export type Permission = 'read' | 'write'

/** Narrows text to a role. */
export function isRole(text: unknown): text is Role {
  return ROLES.some((role) => role === text)
}

/** Whether a role carries a permission. */
export function may(role: Role, permission: Permission): boolean {
  return permission === 'read' || role !== 'viewer'
}

/** An authenticated client: an editor in a browser, or a program with a token. */
export type Principal = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}
