import type {Declaration} from './document.ts'
import {type StoredDocument, siteOf} from './documents.ts'
import {declarationOf} from './index.ts'
import {type Fields, isSameJson} from './record.ts'
import {isSiteEnabled, parseReview} from './rules/site.ts'

/** A published document before and after a change. Undefined: it does not exist. */
type PublishedChange = {
  readonly before: StoredDocument | undefined
  readonly after: StoredDocument | undefined
}

/** The id of the site that a document belongs to: its own, for a site. */
export function reviewedSiteOf(document: StoredDocument): string | undefined {
  return document._type === 'site' ? document._id.replace(/^drafts\./, '') : siteOf(document)
}

/** What publishing sets itself. A draft keeps its own `_createdAt`, which publishing ignores. */
const SET_BY_PUBLISHING: readonly string[] = ['_rev', '_updatedAt']
const SET_FOR_DRAFTS: readonly string[] = [...SET_BY_PUBLISHING, '_id', '_createdAt']

/**
 * Whether a change switches a site, a tool or a form tool off, and does nothing else. It only takes away what was
 * published, so it needs no review and no preparation: a person who sees a script do harm stops it with one click.
 * @param change its `after` may be a draft
 */
function switchesOff({before, after}: PublishedChange): boolean {
  if (before === undefined || after?.enabled !== false || !isOn(before)) return false
  const own = after._id.startsWith('drafts.') ? SET_FOR_DRAFTS : SET_BY_PUBLISHING
  const fields = new Set([...Object.keys(before), ...Object.keys(after)])
  return [...fields].every(
    (field) => field === 'enabled' || own.includes(field) || isSameJson(before[field], after[field]),
  )
}

function isOn(document: StoredDocument): boolean {
  if (document._type === 'site') return isSiteEnabled(document)
  return (document._type === 'tool' || document._type === 'formTool') && document.enabled === true
}

/**
 * Whether a change needs a review. The published sites decide as they are before the change, so that switching the
 * review off needs one too. Deleting and unpublishing are changes. Switching off needs none.
 * @param siteBefore returns the published site with an id
 */
export function needsReview(
  change: PublishedChange,
  siteBefore: (id: string) => Fields | undefined,
): boolean {
  if (switchesOff(change)) return false
  const {before, after} = change
  return [before, after].some((document) => {
    const siteId = document && reviewedSiteOf(document)
    const site = siteId === undefined ? undefined : siteBefore(siteId)
    const review = parseReview(site?.review)
    // What cannot be read asks for a review of everything.
    if (!review.ok || review.value === 'all' || review.value === 'tests') return true
    return review.value === 'scripts' && changesCode(before, after)
  })
}

function changesCode(before: StoredDocument | undefined, after: StoredDocument | undefined): boolean {
  if (before === undefined || after === undefined || before._type !== after._type) return true
  return decidingFields(declarationOf(after._type)).some((name) => !isSameJson(before[name], after[name]))
}

/** The fields that decide which code runs, where, and for whom. */
export function decidingFields(declaration: Declaration | undefined): string[] {
  return (declaration?.fields ?? []).flatMap(({name, decidesCode}) => (decidesCode === true ? [name] : []))
}

/** Whether a document has tests that can run. Pages do not get a tool that is off. */
export function hasTests({_type, enabled, tests}: StoredDocument): boolean {
  const isTool = _type === 'tool' || _type === 'formTool'
  return isTool && enabled === true && Array.isArray(tests) && tests.length > 0
}

/**
 * Whether the tests of a changed tool must have passed before it is published. The published site decides as it is
 * before the change.
 * @param siteBefore returns the published site with an id
 */
export function needsTests(
  {after}: Pick<PublishedChange, 'after'>,
  siteBefore: (id: string) => Fields | undefined,
): boolean {
  const siteId = after === undefined || !hasTests(after) ? undefined : siteOf(after)
  const review = parseReview(siteId === undefined ? undefined : siteBefore(siteId)?.review)
  return review.ok && review.value === 'tests'
}

/** What a lake is told about reviews. */
export const REVIEW_RULES = {needsReview, needsTests, switchesOff, siteOf: reviewedSiteOf}
