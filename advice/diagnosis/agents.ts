import {groupVersions, type StoredDocument, siteOf} from '../../schemas/documents.ts'
import {askBeforeOf} from '../../schemas/rules/hints/askBefore.ts'
import {type ConsumerListing, type Listing, listForConsumers, type OfferedTool} from '../agents/listings.ts'
import {offeredTool, toolOfPages} from '../agents/offered.ts'
import {diagnosePage, knownPaths} from './page.ts'
import type {CheckedSite} from './site.ts'

/**
 * The published tools that a page offers, in the order in which the snippet registers them, and those that pages of the site
 * register themselves.
 * @param path undefined: all that are offered on any page
 */
export function offeredOnPage(
  site: CheckedSite,
  documents: readonly StoredDocument[],
  path: string | undefined,
): OfferedTool[] {
  const versions = new Map(groupVersions(documents).map((one) => [one.id, one]))
  const own = diagnosePage(site, path)
    .tools.filter(({reasons}) => reasons.length === 0)
    .sort((a, b) => (a.type === b.type ? (a.id < b.id ? -1 : 1) : a.type === 'tool' ? -1 : 1))
    .flatMap(({id, type}) => {
      const published = versions.get(id)?.published
      if (published === undefined) return []
      const owner = versions.get(siteOf(published) ?? '')?.published
      return [offeredTool(type, published, askBeforeOf(owner?.askBefore))]
    })
  const ofPages = site.pageTools.filter((name) => !own.some((tool) => tool.name === name))
  return [...own, ...ofPages.map(toolOfPages)]
}

/** What each known consumer lists of a site: each tool once, with the remarks of every page that the patterns name. */
export function listSite(site: CheckedSite, documents: readonly StoredDocument[]): ConsumerListing[] {
  const all = offeredOnPage(site, documents, undefined)
  const pages = knownPaths(site).map((path) => offeredOnPage(site, documents, path))
  const onPages = new Set(pages.flat().map(({name}) => name))
  // The patterns of the others have wildcards only, so that no page of theirs is known.
  const alone = all.filter(({name}) => !onPages.has(name)).map((tool) => [tool])
  const found = [...pages, ...alone].map((tools) => listForConsumers(tools))
  return (found[0] ?? []).map(({consumer}, index) => ({
    consumer,
    listings: all.map((tool) =>
      mergeListings(
        tool,
        found.flatMap((page) => page[index]?.listings ?? []),
      ),
    ),
  }))
}

function mergeListings(tool: OfferedTool, listings: readonly Listing[]): Listing {
  const own = listings.filter((one) => one.tool.name === tool.name)
  const remarks = new Map(
    own.flatMap((one) => one.remarks.map((remark) => [remark.code + remark.message, remark])),
  )
  return {tool, name: own[0]?.name, hints: own[0]?.hints ?? [], remarks: [...remarks.values()]}
}
