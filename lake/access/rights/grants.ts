import {draftId} from '../../../content/ids.ts'
import {mayUse, type Right, type Rights, type Sites} from './rights.ts'

/** A permission on documents, by Sanity's names. `update` includes deleting. */
export type DocumentPermission = 'read' | 'create' | 'update'

/** The permissions on the documents that a GROQ filter selects, as Sanity's API shows them. */
export type Grant = {
  readonly filter: string
  readonly permissions: readonly (DocumentPermission | 'history' | 'editHistory')[]
}

/** The rules about sites that a lake, which knows no types of documents, is given. */
export type SiteRules = {
  /**
   * A GROQ filter that selects the documents of sites: `$sites` has the ids of the site documents, and
   * `$drafts` those of their drafts. `*` has the documents before a transaction.
   */
  readonly documentsOfSites: string
}

/** Rights for named sites are for no document. */
export const NO_SITES: SiteRules = {documentsOfSites: 'false'}

const EVERYTHING = '_id in path("**")'
/** What is published at some time has its own checks; until then, it is as a draft. */
const DRAFTS_AND_VERSIONS = '(_id in path("drafts.**") || _id in path("versions.**"))'
/** Releases are of no site: what may be in them is decided for each document. */
const RELEASES = '_id in path("_.releases.*")'

/**
 * The grants of rights. They are all that a lake asks about documents, and Studio asks the same:
 * https://www.sanity.io/docs/content-lake/roles-concepts
 */
export function grantsOf(rights: Rights, rules: SiteRules): readonly Grant[] {
  // Studio compares sites and checks references, and a history has documents that moved: reading is for all.
  const reads: Grant[] = mayUse(rights, 'read')
    ? [{filter: EVERYTHING, permissions: ['read', 'history']}]
    : []
  const releases: Grant[] = mayUse(rights, 'write')
    ? [{filter: RELEASES, permissions: ['create', 'update', 'editHistory']}]
    : []
  return [...reads, ...releases, ...rights.flatMap((right) => grantOf(right, rules))]
}

function grantOf({role, sites}: Right, rules: SiteRules): Grant[] {
  if (role === 'viewer' || role === 'reporter') return []
  const permissions = ['create', 'update', 'editHistory'] as const
  const filters = [...(role === 'author' ? [DRAFTS_AND_VERSIONS] : []), ...filtersOf(sites, rules)]
  return [{filter: filters.join(' && ') || EVERYTHING, permissions}]
}

/** The ids need no escaping: `parseRights` accepts no others. */
function filtersOf(sites: Sites, {documentsOfSites}: SiteRules): string[] {
  if (sites === 'all') return []
  const lists = new Map([
    ['$sites', JSON.stringify(sites)],
    ['$drafts', JSON.stringify(sites.map(draftId))],
  ])
  return [`(${documentsOfSites.replaceAll(/\$(sites|drafts)\b/g, (name) => lists.get(name) ?? name)})`]
}
