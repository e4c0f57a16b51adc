import type {Document} from '../documents/document.ts'
import {draftId, isDraftId, isPublishedId} from '../documents/ids.ts'
import type {Revision} from './revisions.ts'
import type {TimelineEntry} from './timeline.ts'

/** A document with its draft, and all that is known to have happened to the two. */
export type Group = {
  readonly publishedId: string
  /** The oldest first. */
  readonly moments: readonly TimelineEntry[]
  /** The first moment to tell of: where there are too many, the one before it says what it began from. */
  readonly first: number
}

/** A document's states before and after a moment, each missing where there is none. */
export type Difference = {readonly before: Document | undefined; readonly after: Document | undefined}

/**
 * One of the documents of a group over time. Studio asks for drafts alone, and shows under a draft's id what was
 * committed without any draft. So a draft asked for alone is followed as an editor sees it: what others committed is a
 * state of it, too.
 */
export type Line = {readonly id: string; readonly kind: 'published' | 'draft' | 'seen'}

/** The lines that some ids of one group ask for. */
export function linesOf(ids: readonly string[]): Line[] {
  const withPublished = ids.some(isPublishedId)
  return ids.map((id) => {
    if (isPublishedId(id)) return {id, kind: 'published'}
    return {id, kind: withPublished || !isDraftId(id) ? 'draft' : 'seen'}
  })
}

/** The documents of a group at its moments, of which those in Git were read. */
export class States {
  readonly #group: Group
  readonly #documents: ReadonlyMap<Revision, Document>

  constructor(group: Group, documents: ReadonlyMap<Revision, Document>) {
    this.#group = group
    this.#documents = documents
  }

  /** What a line was after a moment. */
  at({id, kind}: Line, index: number): Document | undefined {
    if (kind === 'published') return this.#published(index)
    const moment = this.#group.moments[index]
    if (kind === 'draft' || moment?.step !== undefined) return this.#draft(index)
    const published = this.#published(index)
    // As if it had been published from a draft: a draft's revision is its transaction.
    return published === undefined || moment === undefined
      ? this.#draft(index)
      : {...published, _id: id, _rev: moment.id}
  }

  /** What a moment did to a line, undefined where that is nothing. */
  difference(line: Line, index: number): Difference | undefined {
    const moment = this.#group.moments[index]
    if (line.kind === 'published' ? !moment?.revision : line.kind === 'draft' && !moment?.step)
      return undefined
    const {step} = moment ?? {}
    // A draft began where its step says so, even where something else was to be seen before.
    const began = line.kind !== 'published' && step !== undefined && step.before === undefined
    const before = began ? undefined : this.at(line, index - 1)
    const after = this.at(line, index)
    return before === after ? undefined : {before, after}
  }

  #published(index: number): Document | undefined {
    const revision = revisionAt(this.#group, index)
    return revision && this.#documents.get(revision)
  }

  #draft(index: number): Document | undefined {
    return this.#group.moments.findLast(({step}, at) => at <= index && step !== undefined)?.step?.after
  }
}

/** The revisions to read for the differences of some moments. */
export function revisionsOf(group: Group, from: number, to: number): Set<Revision> {
  const revisions = new Set<Revision>()
  const before = revisionAt(group, from - 1)
  if (before) revisions.add(before)
  for (const {revision} of group.moments.slice(Math.max(0, from), to)) if (revision) revisions.add(revision)
  return revisions
}

/** The id under which a group's draft, or the version of a release that is a group of its own, is logged. */
export function unpublishedId(publishedId: string): string {
  return isPublishedId(publishedId) ? draftId(publishedId) : publishedId
}

function revisionAt({moments}: Group, index: number): Revision | undefined {
  return moments.findLast(({revision}, at) => at <= index && revision !== undefined)?.revision
}
