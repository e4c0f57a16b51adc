/** The roles of a lake, the least powerful first. */
export const ROLES = ['reporter', 'viewer', 'author', 'publisher', 'administrator'] as const

export type Role = (typeof ROLES)[number]

/** A role for all sites, or for those with these ids. */
export type Right = {role: Role; sites: 'all' | readonly string[]}

export const ROLE_TITLES: Readonly<Record<Role, string>> = {
  reporter: 'Reporter',
  viewer: 'Viewer',
  author: 'Author',
  publisher: 'Publisher',
  administrator: 'Administrator',
}

export const ROLE_TEXTS: Readonly<Record<Role, string>> = {
  reporter: 'sends the results of automatic tests, and reads nothing',
  viewer: 'sees everything, and changes nothing',
  author: 'edits drafts, and cannot publish them',
  publisher: 'edits and publishes',
  administrator: 'edits, publishes and manages people',
}

export type Site = {id: string; name: string}

/** Rights as a text such as "Author of Books, Viewer of all sites". */
export function rightsText(rights: readonly Right[], sites: readonly Site[]): string {
  const nameOf = (id: string) => sites.find((site) => site.id === id)?.name ?? id
  const texts = rights.map(
    ({role, sites: ids}) =>
      `${ROLE_TITLES[role]} of ${ids === 'all' ? 'all sites' : ids.map(nameOf).join(' and ')}`,
  )
  return texts.length === 0 ? 'No role' : texts.join(', ')
}

/** Whether rights allow what a role allows, on a site. Undefined: on all sites. */
export function allows(rights: readonly Right[], role: Role, siteId: string | undefined): boolean {
  return rights.some(
    (right) =>
      ROLES.indexOf(right.role) >= ROLES.indexOf(role) &&
      (right.sites === 'all' || (siteId !== undefined && right.sites.includes(siteId))),
  )
}

/** At most five names in a sentence, such as "Ada, Bob or Eve". */
export function listNames(names: readonly string[]): string {
  return new Intl.ListFormat('en-GB', {type: 'disjunction'}).format(names.slice(0, 5))
}

/** The ids of the sites that an administrator manages. */
export function managedSites(rights: readonly Right[]): 'all' | readonly string[] {
  const managed = rights.filter(({role}) => role === 'administrator').map(({sites}) => sites)
  return managed.includes('all') ? 'all' : managed.flat()
}

/** Whether a right is within the sites that an administrator manages. */
export function isManaged({sites}: Right, managed: 'all' | readonly string[]): boolean {
  return managed === 'all' || (sites !== 'all' && sites.every((id) => managed.includes(id)))
}
