/**
 * What a person or a program may do. `viewer` reads drafts and history, `editor` changes content, `administrator`
 * is an editor to the lake, and to Studio somebody who may see a project's settings.
 */
export const ROLES = ['administrator', 'editor', 'viewer'] as const

export type Role = (typeof ROLES)[number]

/** What a route asks for. */
export type Permission = 'read' | 'write'

/** Narrows text to a role. */
export function isRole(text: unknown): text is Role {
  return ROLES.some((role) => role === text)
}

/** Whether a role carries a permission. */
export function may(role: Role, permission: Permission): boolean {
  return permission === 'read' || role !== 'viewer'
}

/** Somebody who is known: an editor in a browser, or a program with a token. */
export type Principal = {
  readonly id: string
  readonly name: string
  readonly email: string
  readonly role: Role
}
