import type {Document} from '../../content/document.ts'
import type {DraftSteps} from '../../content/drafts/draftSteps.ts'
import {isPublishedId, isVersionId, publishedId} from '../../content/ids.ts'
import type {DocumentStore} from '../../content/store.ts'
import {type Group, type Line, linesOf, revisionsOf, States, unpublishedId} from './groupTimeline.ts'
import type {Revisions} from './revisions.ts'
import {type TimelineEntry, timelineOf, withInferredEnds} from './timeline.ts'
import {type Selection, type TransactionEntry, transactionsOf} from './transactions.ts'

/** Moments whose documents are read at once: each may hold a document of 5 MB. */
const READ_AT_ONCE = 10

/** The requested state: at a revision or a transaction, at a time, or the last one. */
export type Instant = {readonly revision: string} | {readonly time: number} | 'last'

/** A document as it was after a moment. */
type State = {readonly index: number; readonly document: Document}

type HistoryOptions = {
  readonly store: DocumentStore
  readonly revisions: Revisions
  readonly drafts: DraftSteps
  /** Maps the email addresses of commits to editors or programs. */
  readonly authors: () => (email: string) => string
}

/** Past states of documents: published ones from Git, drafts from their steps. */
export class DocumentHistory {
  readonly #options: HistoryOptions

  constructor(options: HistoryOptions) {
    this.#options = options
  }

  /** The name of an author who is not an editor, and whom the history identified by an email address. */
  nameOf(author: string): string | undefined {
    return this.#options.revisions.nameOf(author)
  }

  /**
   * The states of documents, without those that have none.
   * @throws GitError
   */
  async documents(ids: readonly string[], instant: Instant): Promise<Document[]> {
    const found = new Map<string, Document>()
    for (const [group, lines] of this.#groups(ids)) {
      let latest = -1
      for (const line of lines.toSorted(
        (a, b) => Number(isPublishedId(b.id)) - Number(isPublishedId(a.id)),
      )) {
        const state = await this.#state(group, line, instant)
        // Studio restores a draft in preference to the published document, but not a draft that was published
        // or discarded earlier.
        if (state === undefined || (instant === 'last' && state.index < latest)) continue
        latest = state.index
        found.set(line.id, state.document)
      }
    }
    return ids.flatMap((id) => found.get(id) ?? [])
  }

  /**
   * Streams the transactions of documents.
   * @throws GitError
   */
  async *transactions(ids: readonly string[], selection: Selection): AsyncGenerator<TransactionEntry> {
    const groups = this.#groups(ids)
    yield* transactionsOf(groups, selection, (revisions) => this.#options.revisions.documents(revisions))
  }

  /**
   * The events of a document or a draft after `cursor`, the latest first. The returned cursor is empty at the
   * end.
   * @throws GitError
   */
  async events(id: string, limit: number, cursor: string | undefined) {
    const events: DocumentEvent[] = []
    for (const [group, [line]] of this.#groups([id])) {
      if (line === undefined) continue
      const eventful = [...group.moments.entries()].filter(
        ([, moment]) => isEventful(moment) && (line.kind !== 'published' || moment.revision),
      )
      const end =
        cursor === undefined ? eventful.length : eventful.findIndex(([, moment]) => moment.id === cursor)
      const page = eventful.slice(Math.max(0, end - limit), Math.max(0, end))
      const first = page[0]?.[0] ?? 0
      const revisions = revisionsOf(group, first, (page.at(-1)?.[0] ?? 0) + 1)
      const states = new States(group, await this.#options.revisions.documents(revisions))
      for (const [index] of page.reverse()) events.push(...eventsAt(group, index, line, states))
      const isEnd = page.length === 0 || end <= limit
      return {events, nextCursor: isEnd ? '' : (group.moments[first]?.id ?? '')}
    }
    return {events, nextCursor: ''}
  }

  async #state(group: Group, line: Line, instant: Instant): Promise<State | undefined> {
    const index = indexOf(group, instant)
    if (index === undefined) {
      if (instant !== 'last' && 'time' in instant) return undefined
      const last = await this.#last(group, line, ({_rev}) => instant === 'last' || instant.revision === _rev)
      const end = group.moments.at(-1)?.id
      if (last === undefined || end === undefined || instant !== 'last' || !isVersionId(line.id)) return last
      // To revert a release, Studio reads in `_rev` of its versions which transaction published them.
      return {...last, document: {...last.document, _rev: end}}
    }
    const revisions = revisionsOf(group, index, index + 1)
    const document = new States(group, await this.#options.revisions.documents(revisions)).at(line, index)
    if (document === undefined) return undefined
    // A client that requests a transaction expects that id as the document's revision in the response.
    const byName = line.kind === 'published' && instant !== 'last' && 'revision' in instant
    const named = byName ? group.moments[index]?.revision : undefined
    return {index, document: named === undefined ? document : {...document, _rev: named.id}}
  }

  /** The last state that passes, searched from the latest backwards. */
  async #last(group: Group, line: Line, passes: (document: Document) => boolean): Promise<State | undefined> {
    for (let end = group.moments.length; end > 0; end -= READ_AT_ONCE) {
      const start = Math.max(0, end - READ_AT_ONCE)
      const revisions = await this.#options.revisions.documents(revisionsOf(group, start, end))
      const states = new States(group, revisions)
      for (let index = end - 1; index >= start; index -= 1) {
        const document = states.at(line, index)
        if (document !== undefined && passes(document)) return {index, document}
      }
    }
    return undefined
  }

  /** The groups of some ids, each with their lines. */
  #groups(ids: readonly string[]): Map<Group, Line[]> {
    const authorOf = this.#options.authors()
    const groups = new Map<Group, Line[]>()
    for (const [id, asked] of Map.groupBy(new Set(ids), groupOf))
      groups.set(this.#group(id, authorOf), linesOf(asked))
    return groups
  }

  #group(id: string, authorOf: (email: string) => string): Group {
    const {revisions, drafts, store} = this.#options
    const draft = unpublishedId(id)
    const found = isPublishedId(id) ? revisions.of(id) : []
    const steps = withInferredEnds(drafts.of(draft), store.get(draft))
    return {publishedId: id, moments: timelineOf(found, steps, authorOf)}
  }
}

/** A document and its draft have one history, a version in a release has its own. */
function groupOf(id: string): string {
  return isVersionId(id) ? id : publishedId(id)
}

/** The moment of an instant; undefined if that depends on the states, or if there was none. */
function indexOf({moments}: Group, instant: Instant): number | undefined {
  if (instant === 'last') return undefined
  const index =
    'revision' in instant
      ? moments.findLastIndex(({id}) => id === instant.revision)
      : moments.findLastIndex(({timestamp}) => Date.parse(timestamp) <= instant.time)
  return index === -1 ? undefined : index
}

/** Something that happened to a document or its draft, in the format of Studio's events store. */
type DocumentEvent = {
  readonly type:
    | 'createDocumentVersion'
    | 'deleteDocumentVersion'
    | 'publishDocumentVersion'
    | 'unpublishDocument'
    | 'deleteDocumentGroup'
  readonly timestamp: string
  readonly author: string
  /** Always that of the published document. */
  readonly documentId: string
  /** The draft. */
  readonly versionId?: string
  /** The draft's revision. */
  readonly versionRevisionId?: string
  /** The published document's revision. */
  readonly revisionId?: string
  readonly publishCause?: 'document.publish'
}

/** Whether a moment may be more than an edit. Studio finds edits in the transactions itself. */
function isEventful({revision, step}: TimelineEntry): boolean {
  return (
    revision !== undefined || (step !== undefined && (step.before === undefined || step.after === undefined))
  )
}

/**
 * The events of a moment, the latest first. The line of a draft contains both its own creation and deletion,
 * and the events of the published document.
 */
function eventsAt(group: Group, index: number, line: Line, states: States): DocumentEvent[] {
  const moment = group.moments[index]
  if (moment === undefined) return []
  const {id, timestamp, author, step} = moment
  const {publishedId} = group
  const versionId = unpublishedId(publishedId)
  const base = {timestamp, author, documentId: publishedId}
  const events: DocumentEvent[] = []

  const began = step?.before === undefined && step?.after
  const ended = step?.after === undefined && step?.before
  if (line.kind !== 'published' && began) {
    events.push({type: 'createDocumentVersion', ...base, versionId, versionRevisionId: began._rev})
  }
  const change = isPublishedId(publishedId)
    ? states.change({id: publishedId, kind: 'published'}, index)
    : undefined
  if (change?.after !== undefined) {
    const from = ended ? ended._rev : beganUnseen(group, index) ? id : undefined
    const version = {versionId, ...(from !== undefined && {versionRevisionId: from})}
    const cause = {publishCause: 'document.publish'} as const
    events.push({type: 'publishDocumentVersion', ...base, revisionId: id, ...version, ...cause})
  } else if (change !== undefined) {
    const left = states.at({id: versionId, kind: 'draft'}, index)
    if (left) events.push({type: 'unpublishDocument', ...base, versionId, versionRevisionId: left._rev})
    else events.push({type: 'deleteDocumentGroup', ...base})
  } else if (line.kind !== 'published' && ended) {
    events.push({type: 'deleteDocumentVersion', ...base, versionId, versionRevisionId: ended._rev})
  }
  return events
}

/**
 * Whether no creation of a draft is known up to this moment. Studio joins each publication with the last
 * draft creation before it. A publication without its own draft must not name a draft's revision if an
 * earlier one had a draft.
 */
function beganUnseen({moments}: Group, index: number): boolean {
  return !moments.some(({step}, at) => at <= index && step !== undefined && step.before === undefined)
}
