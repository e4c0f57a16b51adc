import {compare, type SiteChange} from '../../advice/changes/compare.ts'
import {nounOf} from '../../advice/diagnosis/titles.ts'
import {describeReason, describeSite} from '../../advice/diagnosis/words.ts'
import {neighboursIn} from '../../advice/site/siteTools.ts'
import {adviseDocument} from '../../advice/tool.ts'
import {
  inRelease,
  type StoredDocument,
  siteOf,
  unpublishes,
  versionsOf,
  withDrafts,
} from '../../schemas/documents.ts'
import {isSameJson} from '../../schemas/record.ts'
import {textOf} from '../../schemas/rules/text.ts'
import type {Review} from './review.ts'

/** A field of a document that a change touches. */
export type FieldChange = {
  readonly field: string
  readonly before: unknown
  readonly after: unknown
}

/** What a review is about. */
export type Reviewed = ReturnType<typeof reviewedIn>

/** A change of one document that is to be reviewed. */
export type ReviewedChange = Reviewed['changes'][number]

/** Works out what a review is about. */
export function reviewedIn(review: Review, documents: readonly StoredDocument[]) {
  const {document, release, action, changes: requested} = review
  const published = new Map(documents.flatMap((one) => (isPublished(one) ? [[one._id, one]] : [])))
  const drafts =
    release === undefined
      ? new Map([[document, documents.find(({_id}) => _id === `drafts.${document}`)]])
      : versionsOf(documents, release)
  const shown = withDrafts(inRelease(documents, release))
  const changes = Array.from(drafts, ([id, draft]) => {
    const before = published.get(id)
    const isGone = action !== 'publish' || draft === undefined || unpublishes(draft)
    const after: StoredDocument | undefined = isGone ? undefined : {...draft, _id: id}
    const request = requested.find((one) => one.document === id)
    return {
      /** The id of the published document. */
      id,
      /** The document, as it is to be shown. */
      subject: after ?? before ?? draft,
      /** The published document. */
      before,
      /** What publishing makes of it. Undefined: it goes. */
      after,
      fields: changedFields(before, after),
      /** Advice on the draft. */
      advice: after === undefined ? [] : adviceOn(after, shown),
      /** The published revision that the change leads to. Undefined: it is not known, because the draft changed after the request. */
      revision: request?.draftRevision === draft?._rev ? request?.after : undefined,
    }
  })
  const changed = new Map(published)
  for (const {id, after} of changes) {
    if (after === undefined) changed.delete(id)
    else changed.set(id, after)
  }
  return {
    changes,
    /** The names of sites by their ids. */
    siteNames: new Map(
      shown.flatMap(({_id, _type, name}) => (_type === 'site' ? [[_id, textOf(name)]] : [])),
    ),
    /** What all changes together mean for visitors, as sentences. */
    forVisitors: compare(published, changed).flatMap((site) => sentencesOf(site)),
    /** Whether the drafts, or the versions in the release, are still those of the request. */
    isAsRequested:
      action !== 'publish' ||
      (requested.length === drafts.size &&
        requested.every((one) => drafts.get(one.document)?._rev === one.draftRevision)),
    /** Whether the published documents are still those of the request. */
    isBaseAsRequested: requested.every((one) => published.get(one.document)?._rev === one.before),
  }
}

/** What publishing sets itself, whatever the draft contains. */
const SET_BY_LAKE: ReadonlySet<string> = new Set(['_id', '_originalId', '_rev', '_createdAt', '_updatedAt'])

/** The fields that differ. */
function changedFields(before: StoredDocument | undefined, after: StoredDocument | undefined): FieldChange[] {
  const fields = [...new Set([...Object.keys(before ?? {}), ...Object.keys(after ?? {})])]
  const isNewOrGone = before === undefined || after === undefined
  return fields
    .filter((field) => !SET_BY_LAKE.has(field) && !(isNewOrGone && field === '_type'))
    .map((field) => ({field, before: before?.[field], after: after?.[field]}))
    .filter((change) => !isSameJson(change.before, change.after))
}

function sentencesOf({before, after, tools}: SiteChange): string[] {
  const [reason] = after ?? []
  const wasOff = before === undefined || before.length > 0
  const state =
    after === undefined
      ? ['The pages of the site will offer no tools.']
      : reason !== undefined
        ? [describeSite(reason)]
        : wasOff
          ? ['The pages of the site will offer its tools.']
          : []
  const sentences = tools.map(({kind, type, name, pattern, reasons, members}) => {
    const [why] = reasons
    if (kind === 'added') return `New ${nounOf(type)} “${name}” on ${pattern}.`
    if (kind === 'removed')
      return `The ${nounOf(type)} “${name}” goes from ${pattern}${why === undefined ? '.' : `: ${describeReason(why, type)}`}`
    const changed = members.map(({title, part}) => (part === undefined ? title : `${title} “${part}”`))
    return `The ${nounOf(type)} “${name}” on ${pattern} changes: ${changed.join(', ')}.`
  })
  return [...state, ...sentences]
}

/** @param shown the documents as they will be with all drafts */
function adviceOn(document: StoredDocument, shown: readonly StoredDocument[]): string[] {
  if (document._type !== 'tool' && document._type !== 'formTool') return []
  const site = siteOf(document)
  const tools = shown.filter((one) => siteOf(one) === site && one._id !== document._id)
  const advice = adviseDocument(document._type, document, {others: neighboursIn(tools)})
  return advice.map(({message}) => message)
}

function isPublished({_id}: StoredDocument): boolean {
  return !/^(drafts|versions)\./.test(_id)
}
