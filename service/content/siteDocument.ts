import type {SiteQueryResult} from './types.generated.ts'

/** A site with its enabled tools, as the lake answers it. The fields are checked when it is compiled. */
export type SiteDocument = NonNullable<SiteQueryResult['site']>

/** What is asked of every document. */
export type Revised = {_id: string; _rev: string}
type RevisedSite = Revised & {tools: Revised[]; formTools: Revised[]}

/** The documents that a site's answers are made of, the site itself first. */
export function documentsOf(site: RevisedSite): Revised[] {
  return [site, ...site.tools, ...site.formTools]
}

/** One string that changes whenever the site, or the set or content of its enabled tools, does. */
export function revisionOf(site: RevisedSite | null): string {
  if (!site) return 'absent'
  return documentsOf(site).map(revisedIdOf).join(' ')
}

/** Document id and revision: names what stood in one document at one time. */
export function revisedIdOf({_id, _rev}: Revised): string {
  return `${_id}@${_rev}`
}
