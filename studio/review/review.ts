import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import type {Selection} from '../../schemas/diagnosis/selection.ts'
import {isRecord} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** What is to be done to a document. */
export type ReviewedAction = 'publish' | 'unpublish' | 'delete'

/** A comment on a request for a review. */
type ReviewComment = {
  readonly key: string
  readonly name: string
  readonly at: string
  readonly text: string
}

/** A request to review a change of one document, as the lake keeps it. */
export type Review = {
  /** The id of the published document. */
  readonly document: string
  /** The id of the site that the document belongs to. */
  readonly site: string
  readonly action: ReviewedAction
  /** The revision of the draft that is to be published. */
  readonly draftRevision: string | undefined
  /** The published revision that the change starts from. */
  readonly before: string | undefined
  /** The published revision that the change leads to. */
  readonly after: string | undefined
  readonly isSentBack: boolean
  /** The person who requested it. */
  readonly byId: string
  readonly by: string
  readonly at: string
  readonly comments: readonly ReviewComment[]
  /** The page of the Git host that compares the change with what is published. */
  readonly comparePage: string | undefined
}

/** The type and the ids of these documents: only the lake creates some with such ids. */
const TYPE = 'handrail.review'
const PREFIX = 'drafts.handrail.review.'

const ALL = '*[_type == $type]'

/** Selects the requests of all sites. */
export const ALL_REVIEWS: Selection = {query: ALL, filter: ALL, params: {type: TYPE}}

/** Selects the requests for the documents of a site. */
export function reviewsOfSite(siteId: string): Selection {
  const filter = '*[_type == $type && site == $siteId]'
  return {query: filter, filter, params: {type: TYPE, siteId}}
}

/** Selects the request for a document, and sites. */
export function reviewOfDocument(id: string, siteIds: readonly string[]): Selection {
  const filter = '*[_type == $type && document == $id || _type == "site" && _id in $siteIds]'
  return {query: filter, filter, params: {type: TYPE, id, siteIds}}
}

/** The requests among documents, the oldest first. */
export function reviewsIn(documents: readonly StoredDocument[]): Review[] {
  return documents.flatMap((document) => reviewIn(document) ?? []).sort((a, b) => (a.at < b.at ? -1 : 1))
}

const REVIEWED_ACTIONS: readonly ReviewedAction[] = ['publish', 'unpublish', 'delete']

function reviewIn(document: StoredDocument): Review | undefined {
  const {_id, _type, by, comments} = document
  const action = REVIEWED_ACTIONS.find((known) => known === document.action)
  const page = textOf(document.comparePage)
  // Releases are looked at where they are, with all that is in them.
  if (textOf(document.document).startsWith('_.releases.')) return undefined
  if (_type !== TYPE || !_id.startsWith(PREFIX) || action === undefined || !isRecord(by)) return undefined
  return {
    document: textOf(document.document),
    site: textOf(document.site),
    action,
    draftRevision: textOf(document.draftRevision) || undefined,
    before: textOf(document.before) || undefined,
    after: textOf(document.after) || undefined,
    isSentBack: document.state === 'sentBack',
    byId: textOf(by.id),
    by: textOf(by.name),
    at: textOf(document.at),
    comments: Array.isArray(comments) ? comments.flatMap(commentIn) : [],
    comparePage: /^https:\/\//.test(page) ? page : undefined,
  }
}

function commentIn(value: unknown): ReviewComment[] {
  if (!isRecord(value) || !isRecord(value.by)) return []
  const {_key, at, text, by} = value
  return [{key: textOf(_key), name: textOf(by.name), at: textOf(at), text: textOf(text)}]
}
