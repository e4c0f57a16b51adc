import {hash} from 'node:crypto'
import type {SiteQueryResult} from './types.generated.ts'

/** A site with its enabled tools, as the lake answers it. The fields are checked when it is compiled. */
export type SiteDocument = NonNullable<SiteQueryResult['site']>

/** What is asked of every document. */
export type Revised = {_id: string; _rev: string}
type RevisedSite = Revised & {tools: Revised[]; formTools: Revised[]}

/** The documents that a site's answers are made of, the site itself first. */
function documentsOf(site: RevisedSite): Revised[] {
  return [site, ...site.tools, ...site.formTools]
}

/** A short text that changes whenever the site, or the set or content of its enabled tools, does. */
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
