import type {ToolOfSite} from './advice/site/siteTools.ts'
import {parseDocuments, siteOf, withDrafts} from './diagnosis/documents.ts'
import {type Neighbour, neighboursIn} from './diagnosis/neighbours.ts'
import {publishedIdOf} from './documentId.ts'
import {ask, type Context} from './query.ts'

/** Milliseconds for which a site's tools are remembered: every keystroke validates several fields. */
const FRESH = 10_000
/** Sites that are remembered. An editor works on one or two at a time. */
const MOST_SITES = 10

type Remembered = {readonly at: number; readonly tools: Promise<readonly Neighbour[]>}

const remembered = new Map<string, Remembered>()

/**
 * The other enabled tools and form tools of a document's site, as they will be once all drafts are published.
 * Empty if they cannot be read: advice is not worth an error.
 */
export async function otherTools(context: Context): Promise<readonly ToolOfSite[]> {
  const {document} = context
  const site = siteOf(document)
  if (document === undefined || site === undefined) return []
  const own = publishedIdOf(document._id)
  const tools = await toolsOf(site, context).catch(() => [])
  return tools.filter(({id}) => id !== own)
}

function toolsOf(site: string, context: Context): Promise<readonly Neighbour[]> {
  const known = remembered.get(site)
  if (known !== undefined && Date.now() - known.at < FRESH) return known.tools
  const tools = queryTools(site, context)
  tools.catch(() => remembered.delete(site))
  remembered.delete(site)
  remembered.set(site, {at: Date.now(), tools})
  const [oldest] = remembered.keys()
  if (remembered.size > MOST_SITES && oldest !== undefined) remembered.delete(oldest)
  return tools
}

async function queryTools(site: string, context: Context): Promise<readonly Neighbour[]> {
  const query = `*[_type in ["tool", "formTool"] && site._ref == $site]
    {_id, _type, _rev, name, title, description, enabled, pathPattern, pagePath}`
  return neighboursIn(withDrafts(parseDocuments(await ask(context, query, {site}))))
}
