import {hash} from 'node:crypto'
import type {Fields} from '../../schemas/record.ts'

/** The fields that every document must have. */
export type Revised = {readonly _id: string; readonly _rev: string}
export type RevisedSite = Revised & {readonly tools: Revised[]; readonly formTools: Revised[]}

/** A document of a query. Its other fields may hold anything: compilation checks them. */
export type ToolDocument = Revised & Fields

/** A site with its enabled tools, as upstream returns it. */
export type SiteDocument = Revised &
  Fields & {readonly tools: ToolDocument[]; readonly formTools: ToolDocument[]}

/**
 * Returns a short string that changes whenever the site, or the set or content of its enabled tools, changes.
 */
export function siteRevisionOf(site: RevisedSite | null): string {
  if (!site) return 'absent'
  const documents = [site, ...site.tools, ...site.formTools].map(({_id, _rev}) => `${_id}@${_rev}`)
  return hash('sha1', documents.sort().join(' '), 'base64url')
}
