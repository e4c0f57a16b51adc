import {publishedIdOf} from '../schemas/documentId.ts'
import {parseDocuments, siteOf, withDrafts} from '../schemas/documents.ts'
import {ask, type Context} from '../schemas/query.ts'
import {pageToolsOf} from '../schemas/rules/names/toolName.ts'
import {type Neighbour, neighboursIn} from './site/siteTools.ts'

/** Milliseconds for which a site's tools are remembered: every keystroke validates several fields. */
const FRESH = 10_000
/** What advice on a tool knows of its site, as it will be once all drafts are published. */
type SiteFacts = {readonly others: readonly Neighbour[]; readonly pageTools: readonly string[]}

const NOTHING: SiteFacts = {others: [], pageTools: []}

/** Those of the site that an editor works on. */
let latest: {readonly site: string; readonly at: number; readonly facts: Promise<SiteFacts>} | undefined

/**
 * The other tools and form tools of a document's site, and those of its pages.
 * Empty if they cannot be read: advice is not worth an error.
 */
export async function siteFacts(context: Context): Promise<SiteFacts> {
  const {document} = context
  const site = siteOf(document)
  if (document === undefined || site === undefined) return NOTHING
  if (latest?.site !== site || Date.now() - latest.at >= FRESH) {
    const facts = queryFacts(site, context).catch(() => {
      latest = undefined
      return NOTHING
    })
    latest = {site, at: Date.now(), facts}
  }
  const own = publishedIdOf(document._id)
  const {others, pageTools} = await latest.facts
  return {others: others.filter(({id}) => id !== own), pageTools}
}

async function queryFacts(site: string, context: Context): Promise<SiteFacts> {
  const query = `*[_id in [$site, "drafts." + $site] || _type in ["tool", "formTool"] && site._ref == $site]
    {_id, _type, _rev, name, description, enabled, pathPattern, pagePath, selector, pageTools}`
  const documents = withDrafts(parseDocuments(await ask(context, query, {site})))
  return {
    others: neighboursIn(documents.filter(({_type}) => _type !== 'site')),
    pageTools: pageToolsOf(documents.find(({_type}) => _type === 'site')),
  }
}
