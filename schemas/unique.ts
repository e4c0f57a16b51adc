import {publishedIdOf} from './documentId.ts'
import {siteOf} from './documents.ts'
import {ask, type Context} from './query.ts'

/** Public IDs must be unique: otherwise a page could be served the tools of another site. */
export async function hasUniquePublicId(publicId: unknown, context: Context): Promise<true | string> {
  if (typeof publicId !== 'string') return true
  const ids = await ask(context, `*[_type == "site" && publicId == $publicId]._id`, {publicId})
  return !namesAnother(ids, context) || 'Another site has this public ID: choose a different one.'
}

/** A published public ID must not change: pages with the old one would lose their tools. */
export async function keepsPublicId(publicId: unknown, context: Context): Promise<true | string> {
  if (context.document === undefined) return true
  const id = publishedIdOf(context.document._id)
  const published = await ask(context, `*[_id == $id][0].publicId`, {id})
  if (typeof published !== 'string' || published === publicId) return true
  return `The pages of this site use the public ID "${published}": change it back, or create a new site.`
}

/**
 * The names of a site's tools and form tools must be unique: browsers refuse a second tool of the same name
 * on a page.
 */
export async function hasUniqueToolName(name: unknown, context: Context): Promise<true | string> {
  const site = siteOf(context.document)
  if (typeof name !== 'string' || site === undefined) return true
  const ids = await ask(
    context,
    `*[_type in ["tool", "formTool"] && site._ref == $site && name == $name]._id`,
    {site, name},
  )
  return !namesAnother(ids, context) || 'Another tool of this site has this name: choose a different one.'
}

/** Whether one of the ids is neither the document's own nor that of its draft or one of its versions. */
function namesAnother(ids: unknown, context: Context): boolean {
  if (!Array.isArray(ids) || context.document === undefined) return false
  const own = publishedIdOf(context.document._id)
  return ids.some((id) => typeof id === 'string' && publishedIdOf(id) !== own)
}
