import type {Selection} from '../../advice/diagnosis/selection.ts'
import type {StoredDocument} from '../../schemas/documents.ts'
import {type Fields, isRecord, recordsIn} from '../../schemas/record.ts'
import {textOf} from '../../schemas/rules/text.ts'

const REVIEWED_ACTIONS = ['publish', 'unpublish', 'delete'] as const

/** What is to be done to a document. */
export type ReviewedAction = (typeof REVIEWED_ACTIONS)[number]

/** A request to review a change of one document, or a release as a whole, as the lake keeps it. */
export type Review = NonNullable<ReturnType<typeof reviewIn>>

/** The type and the ids of these documents: only the lake creates some with such ids. */
const TYPE = 'handrail.review'
const PREFIX = 'drafts.handrail.review.'
const RELEASES = '_.releases.'

/** Selects the requests of all sites. */
export const ALL_REVIEWS: Selection = {filter: '*[_type == $type]', params: {type: TYPE}}

/** Selects the requests for the documents of a site, and for releases that change some of them. */
export function reviewsOfSite(siteId: string): Selection {
  const filter = '*[_type == $type && (site == $siteId || $siteId in changes[].site)]'
  return {filter, params: {type: TYPE, siteId}}
}

/** Selects the request for a document or a release, and sites. */
export function reviewOfDocument(id: string, siteIds: readonly string[]): Selection {
  const filter = '*[_type == $type && document == $id || _type == "site" && _id in $siteIds]'
  return {filter, params: {type: TYPE, id, siteIds}}
}

/** The requests among documents, the oldest first. */
export function reviewsIn(documents: readonly StoredDocument[]): Review[] {
  return documents.flatMap((document) => reviewIn(document) ?? []).sort((a, b) => (a.at < b.at ? -1 : 1))
}

function reviewIn(document: StoredDocument) {
  const {_id, _type, by} = document
  const action = REVIEWED_ACTIONS.find((known) => known === document.action)
  const page = textOf(document.comparePage)
  const changes = recordsIn(document.changes)
  const own = revisionsIn(document)
  if (_type !== TYPE || !_id.startsWith(PREFIX) || action === undefined || !isRecord(by)) return undefined
  return {
    ...own,
    /** The name of the release. Undefined: it is about a document. */
    release: own.document.startsWith(RELEASES) ? own.document.slice(RELEASES.length) : undefined,
    /** The changes of the release, or the one of the document. */
    changes: changes.length === 0 ? [own] : changes.map(revisionsIn),
    /** The ids of the sites that the documents belong to. */
    sites: [document, ...changes].map(({site}) => textOf(site)),
    action,
    isSentBack: document.state === 'sentBack',
    /** The person who requested it. */
    byId: textOf(by.id),
    by: textOf(by.name),
    at: textOf(document.at),
    comments: recordsIn(document.comments).map((comment) => ({
      key: textOf(comment._key),
      name: textOf(isRecord(comment.by) ? comment.by.name : undefined),
      at: textOf(comment.at),
      text: textOf(comment.text),
    })),
    /** The page of the Git host that compares the change with what is published. */
    comparePage: /^https:\/\//.test(page) ? page : undefined,
  }
}

/** The revisions of one document that are to be reviewed. */
function revisionsIn({document, draftRevision, before, after}: Fields) {
  return {
    /** The id of the published document. */
    document: textOf(document),
    /** The revision of the draft or version that is to be published. */
    draftRevision: textOf(draftRevision) || undefined,
    /** The published revision that the change starts from. */
    before: textOf(before) || undefined,
    /** The published revision that the change leads to. For a release: what is in it. */
    after: textOf(after) || undefined,
  }
}
