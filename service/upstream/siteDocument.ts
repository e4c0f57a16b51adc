import {hash} from 'node:crypto'
import type {SiteQueryResult} from './types.generated.ts'

/** The fields that every document must have. */
export type Revised = {readonly _id: string; readonly _rev: string}
export type RevisedSite = Revised & {readonly tools: Revised[]; readonly formTools: Revised[]}

/** A document of a query whose other fields may hold anything: compilation checks them. */
type Unchecked<T extends Revised> = Revised & {[Field in keyof T]?: unknown}

type QueriedSite = NonNullable<SiteQueryResult['site']>
export type ToolDocument = Unchecked<QueriedSite['tools'][number]>
export type FormToolDocument = Unchecked<QueriedSite['formTools'][number]>

/** A site with its enabled tools, as upstream returns it. */
export type SiteDocument = Unchecked<QueriedSite> & {
  readonly tools: ToolDocument[]
  readonly formTools: FormToolDocument[]
}

/**
 * Returns a short string that changes whenever the site, or the set or content of its enabled tools, changes.
 */
export function revisionOf(site: RevisedSite | null): string {
  if (!site) return 'absent'
  const documents = [site, ...site.tools, ...site.formTools].map(({_id, _rev}) => `${_id}@${_rev}`)
  return hash('sha1', documents.sort().join(' '), 'base64url')
}
