import {publishedIdOf} from './documentId.ts'
import {siteOf} from './documents.ts'
import {ask, type Context} from './query.ts'

/** An attribute whose values no two documents share; with `within`, no two of a site. */
type UniqueRule = {
  readonly types: readonly string[]
  readonly attribute: string
  readonly within?: typeof siteOf
  readonly label: string
  /** What people call a document that has the attribute. */
  readonly holder: string
  readonly ifShared: string
}

/**
 * A public ID decides which tools pages offer. If two sites had the same, a site with no review could replace the
 * tools of one that asks for reviews.
 */
const PUBLIC_ID: UniqueRule = {
  types: ['site'],
  attribute: 'publicId',
  label: 'public ID',
  holder: 'site',
  ifShared:
    'Pages get the tools of the site that was committed first. Give the other one a different public ID, or delete it',
}

/** Browsers refuse a second tool of the same name on a page. */
const TOOL_NAME: UniqueRule = {
  types: ['tool', 'formTool'],
  attribute: 'name',
  within: siteOf,
  label: 'name',
  holder: 'tool of this site',
  ifShared: 'Pages offer only one of them. Give the other one a different name, or delete it',
}

/** What the lake compares among published documents, and Studio also with drafts and releases. */
export const UNIQUE_RULES = [PUBLIC_ID, TOOL_NAME]

/** Whether no other site has a public ID. */
export const hasUniquePublicId = check(PUBLIC_ID)

/** Whether no other tool or form tool of the site has a name. */
export const hasUniqueToolName = check(TOOL_NAME)

/** A published public ID must not change: pages with the old one would lose their tools. */
export async function keepsPublicId(publicId: unknown, context: Context): Promise<true | string> {
  if (context.document === undefined) return true
  const id = publishedIdOf(context.document._id)
  const published = await ask(context, `*[_id == $id][0].publicId`, {id})
  if (typeof published !== 'string' || published === publicId) return true
  return `The pages of this site use the public ID "${published}": change it back, or create a new site.`
}

function check({types, attribute, within, label, holder}: UniqueRule) {
  const ofPlace = within === undefined ? '' : ' && site._ref == $site'
  const query = `*[_type in ${JSON.stringify(types)}${ofPlace} && ${attribute} == $value]._id`
  return async (value: unknown, context: Context): Promise<true | string> => {
    const site = within?.(context.document)
    if (typeof value !== 'string' || (within !== undefined && site === undefined)) return true
    const ids = await ask(context, query, {value, ...(site !== undefined && {site})})
    return !namesAnother(ids, context) || `Another ${holder} has this ${label}: choose a different one.`
  }
}

/** Whether one of the ids is neither the document's own nor that of its draft or one of its versions. */
function namesAnother(ids: unknown, context: Context): boolean {
  if (!Array.isArray(ids) || context.document === undefined) return false
  const own = publishedIdOf(context.document._id)
  return ids.some((id) => typeof id === 'string' && publishedIdOf(id) !== own)
}
