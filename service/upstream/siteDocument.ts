import {hash} from 'node:crypto'
import type {SiteQueryResult} from './types.generated.ts'

/** A site with its enabled tools, as upstream returns it. Compilation checks the fields. */
export type SiteDocument = NonNullable<SiteQueryResult['site']>

/** The fields that every document must have. */
export type Revised = {_id: string; _rev: string}
type RevisedSite = Revised & {tools: Revised[]; formTools: Revised[]}

/** Returns the documents that a config is made of, the site first. */
function documentsOf(site: RevisedSite): Revised[] {
  return [site, ...site.tools, ...site.formTools]
}

/**
 * Returns a short string that changes whenever the site, or the set or content of its enabled tools, changes.
 */
export function revisionOf(site: RevisedSite | null): string {
  if (!site) return 'absent'
  return hash(
    'sha1',
    documentsOf(site)
      .map(({_id, _rev}) => `${_id}@${_rev}`)
      .join(' '),
    'base64url',
  )
}
