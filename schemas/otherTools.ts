import {type Neighbour, neighboursIn} from './advice/site/siteTools.ts'
import {parseDocuments, siteOf, withDrafts} from './diagnosis/documents.ts'
import {publishedIdOf} from './documentId.ts'
import {ask, type Context} from './query.ts'
import {pageToolsOf} from './rules/names/toolName.ts'

/** Milliseconds for which a site's tools are remembered: every keystroke validates several fields. */
const FRESH = 10_000
/** Sites that are remembered. An editor works on one or two at a time. */
const MOST_SITES = 10

/** What advice on a tool knows of its site. */
type SiteFacts = {
  /** Its enabled tools and form tools, as they will be once all drafts are published. */
  readonly tools: readonly Neighbour[]
  /** The names of tools that its pages register themselves. */
  readonly pageTools: readonly string[]
}

type Remembered = {readonly at: number; readonly facts: Promise<SiteFacts>}

const remembered = new Map<string, Remembered>()

/**
 * The other tools and form tools of a document's site, and those of its pages.
 * Empty if they cannot be read: advice is not worth an error.
 */
export async function siteFacts(
  context: Context,
): Promise<{others: readonly Neighbour[]; pageTools: readonly string[]}> {
  const {document} = context
  const site = siteOf(document)
  if (document === undefined || site === undefined) return {others: [], pageTools: []}
  const own = publishedIdOf(document._id)
  const {tools, pageTools} = await factsOf(site, context).catch(() => ({tools: [], pageTools: []}))
  return {others: tools.filter(({id}) => id !== own), pageTools}
}

function factsOf(site: string, context: Context): Promise<SiteFacts> {
  const known = remembered.get(site)
  if (known !== undefined && Date.now() - known.at < FRESH) return known.facts
  const facts = queryFacts(site, context)
  facts.catch(() => remembered.delete(site))
  if (remembered.size >= MOST_SITES) remembered.clear()
  remembered.set(site, {at: Date.now(), facts})
  return facts
}

async function queryFacts(site: string, context: Context): Promise<SiteFacts> {
  const query = `*[_id in [$site, "drafts." + $site] || _type in ["tool", "formTool"] && site._ref == $site]
    {_id, _type, _rev, name, title, description, enabled, pathPattern, pagePath, pageTools}`
  const documents = withDrafts(parseDocuments(await ask(context, query, {site})))
  return {
    tools: neighboursIn(documents.filter(({_type}) => _type !== 'site')),
    pageTools: pageToolsOf(documents.find(({_type}) => _type === 'site')),
  }
}
