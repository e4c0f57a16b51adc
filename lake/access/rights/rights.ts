import {isJsonObject} from '../../../common/json.ts'
import {isPublishedId, isValidId} from '../../../content/ids.ts'

/** The ids of site documents, without `drafts.`; or every site, and the documents that belong to none. */
export type Sites = 'all' | readonly string[]

/** A role, and the sites that it is for. */
export type Right = {readonly role: Role; readonly sites: Sites}

/** All that a person or a program may do. Without any right, one may not even read. */
export type Rights = readonly Right[]

/** The permission that a route requires. The writer decides which documents may be written. */
export type Permission = 'report' | 'read' | 'write' | 'administer'

/** The least role that carries a permission, for at least one site. */
const LEAST_ROLE = {
  report: 'reporter',
  read: 'viewer',
  write: 'author',
  administer: 'administrator',
} as const satisfies Record<Permission, Role>

/** The rights of a role for all sites. */
export function everywhere(role: Role): Rights {
  return [{role, sites: 'all'}]
}

/**
 * Parses rights: a list such as `[{"role": "author", "sites": ["shop"]}]`.
 * @throws Error with one line that says what is wrong
 */
export function parseRights(value: unknown): Rights {
  if (!Array.isArray(value)) throw new Error('rights must be a list')
  return value.map(parseRight)
}

/**
 * Parses the rights of a person, who signs in to see something.
 * @throws Error with one line that says what is wrong
 */
export function parsePersonRights(value: unknown): Rights {
  const rights = parseRights(value)
  if (rights.some(({role}) => role === 'reporter'))
    throw new Error('the role "reporter" is only for tokens: a person has at least the role "viewer"')
  return rights
}

/** Whether rights carry a permission, for a site. Undefined: for any. */
export function mayUse(rights: Rights, permission: Permission, site?: string): boolean {
  return rights.some(
    ({role, sites}) =>
      includes(role, LEAST_ROLE[permission]) &&
      (site === undefined || sites === 'all' || sites.includes(site)),
  )
}

/**
 * Whether an administrator may give rights or take them away: they must be administrator of all sites that
 * the rights are for.
 */
export function mayGive(administrator: Rights, rights: Rights): boolean {
  return covers(
    administrator,
    rights.map(({sites}) => ({role: 'administrator', sites})),
  )
}

/** Whether rights allow all that others allow. */
export function covers(rights: Rights, others: Rights): boolean {
  const has = (role: Role, site: string | undefined) =>
    rights.some(
      (right) =>
        includes(right.role, role) &&
        (right.sites === 'all' || (site !== undefined && right.sites.includes(site))),
    )
  return others.every(({role, sites}) =>
    sites === 'all' ? has(role, undefined) : sites.every((site) => has(role, site)),
  )
}

/** The most powerful role, for any site; undefined without rights. */
export function highestRole(rights: Rights): Role | undefined {
  return ROLES.find((role) => rights.some((right) => right.role === role))
}

/** The name of a site, by its id. */
export type SiteName = (id: string) => string

/** Rights in words: `publisher of all sites`, or `author of Blog, Shop`. */
export function describeRights(rights: Rights, siteName: SiteName = (id) => id): string {
  const texts = rights.map(
    ({role, sites}) => `${role} of ${sites === 'all' ? 'all sites' : sites.map(siteName).join(', ')}`,
  )
  return texts.length === 0 ? 'no rights' : texts.join('; ')
}

function parseRight(value: unknown): Right {
  if (!isJsonObject(value)) throw new Error('a right must be an object with "role" and "sites"')
  const role = ROLES.find((one) => one === value.role)
  if (role === undefined) throw new Error(`"role" must be one of ${ROLES.join(', ')}`)
  return {role, sites: parseSites(value.sites)}
}

function parseSites(value: unknown): Sites {
  if (value === 'all') return value
  if (!Array.isArray(value) || value.length === 0 || !value.every(isSiteId))
    throw new Error('"sites" must be "all", or a list of the "_id" of site documents')
  return value
}

function isSiteId(value: unknown): value is string {
  return typeof value === 'string' && isValidId(value) && isPublishedId(value)
}

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
