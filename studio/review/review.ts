import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import type {Selection} from '../../schemas/diagnosis/selection.ts'
import {isRecord, recordsIn} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Fields} from '../../schemas/rules/tool.ts'

/** What is to be done to a document. */
export type ReviewedAction = 'publish' | 'unpublish' | 'delete'

/** A comment on a request for a review. */
type ReviewComment = {
  readonly key: string
  readonly name: string
  readonly at: string
  readonly text: string
}

/** The revisions of one document that are to be reviewed. */
type Revisions = {
  /** The id of the published document. */
  readonly document: string
  /** The revision of the draft or version that is to be published. */
  readonly draftRevision: string | undefined
  /** The published revision that the change starts from. */
  readonly before: string | undefined
  /** The published revision that the change leads to. For a release: what is in it. */
  readonly after: string | undefined
}

/** A request to review a change of one document, or a release as a whole, as the lake keeps it. */
export type Review = Revisions & {
  /** The name of the release. Undefined: it is about a document. */
  readonly release: string | undefined
  /** The changes of the release, or the one of the document. */
  readonly changes: readonly Revisions[]
  /** The ids of the sites that the documents belong to. */
  readonly sites: readonly string[]
  readonly action: ReviewedAction
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
const RELEASES = '_.releases.'

const ALL = '*[_type == $type]'

/** Selects the requests of all sites. */
export const ALL_REVIEWS: Selection = {query: ALL, filter: ALL, params: {type: TYPE}}

/** Selects the requests for the documents of a site, and for releases that change some of them. */
export function reviewsOfSite(siteId: string): Selection {
  const filter = '*[_type == $type && (site == $siteId || $siteId in changes[].site)]'
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
  const changes = recordsIn(document.changes)
  const own = revisionsIn(document)
  if (_type !== TYPE || !_id.startsWith(PREFIX) || action === undefined || !isRecord(by)) return undefined
  return {
    ...own,
    release: own.document.startsWith(RELEASES) ? own.document.slice(RELEASES.length) : undefined,
    changes: changes.length === 0 ? [own] : changes.map(revisionsIn),
    sites: [document, ...changes].map(({site}) => textOf(site)),
    action,
    isSentBack: document.state === 'sentBack',
    byId: textOf(by.id),
    by: textOf(by.name),
    at: textOf(document.at),
    comments: Array.isArray(comments) ? comments.flatMap(commentIn) : [],
    comparePage: /^https:\/\//.test(page) ? page : undefined,
  }
}

function revisionsIn({document, draftRevision, before, after}: Fields): Revisions {
  return {
    document: textOf(document),
    draftRevision: textOf(draftRevision) || undefined,
    before: textOf(before) || undefined,
    after: textOf(after) || undefined,
  }
}

function commentIn(value: unknown): ReviewComment[] {
  if (!isRecord(value) || !isRecord(value.by)) return []
  const {_key, at, text, by} = value
  return [{key: textOf(_key), name: textOf(by.name), at: textOf(at), text: textOf(text)}]
}
