import type {Change, Document} from '../../content/document.ts'
import {draftId, isDraftId, isPublishedId} from '../../content/ids.ts'
import type {Revision} from './revisions.ts'
import type {TimelineEntry} from './timeline.ts'

/** A document with its draft, and the known history of both. */
export type Group = {
  readonly publishedId: string
  /** The oldest first. */
  readonly moments: readonly TimelineEntry[]
}

/**
 * One of the documents of a group over time. Studio requests only drafts, and shows commits that were made
 * without a draft under the draft's id. So the line of a draft requested alone (`seen`) is what an editor
 * sees: it includes what others committed.
 */
export type Line = {readonly id: string; readonly kind: 'published' | 'draft' | 'seen'}

/** The lines that are requested by some ids of one group. */
export function linesOf(ids: readonly string[]): Line[] {
  const withPublished = ids.some(isPublishedId)
  return ids.map((id) => {
    if (isPublishedId(id)) return {id, kind: 'published'}
    return {id, kind: withPublished || !isDraftId(id) ? 'draft' : 'seen'}
  })
}

/** The documents of a group at its moments, using the revisions that were read from Git. */
export class States {
  readonly #group: Group
  readonly #documents: ReadonlyMap<Revision, Document>

  constructor(group: Group, documents: ReadonlyMap<Revision, Document>) {
    this.#group = group
    this.#documents = documents
  }

  /** The document of a line after a moment. */
  at({id, kind}: Line, index: number): Document | undefined {
    if (kind === 'published') return this.#published(index)
    const moment = this.#group.moments[index]
    if (kind === 'draft' || moment?.step !== undefined) return this.#draft(index)
    const published = this.#published(index)
    // As if it had been published from a draft, whose revision is its transaction.
    return published === undefined || moment === undefined
      ? this.#draft(index)
      : {...published, _id: id, _rev: moment.id}
  }

  /** What a moment changed in a line; undefined if nothing. */
  change(line: Line, index: number): Change | undefined {
    const moment = this.#group.moments[index]
    if (line.kind === 'published' ? !moment?.revision : line.kind === 'draft' && !moment?.step)
      return undefined
    const {step} = moment ?? {}
    // A draft begins where its step says so, even if another state was visible before.
    const began = line.kind !== 'published' && step !== undefined && step.before === undefined
    const before = began ? undefined : this.at(line, index - 1)
    const after = this.at(line, index)
    return before === after ? undefined : {id: line.id, before, after}
  }

  #published(index: number): Document | undefined {
    const revision = revisionAt(this.#group, index)
    return revision && this.#documents.get(revision)
  }

  #draft(index: number): Document | undefined {
    return this.#group.moments.findLast(({step}, at) => at <= index && step !== undefined)?.step?.after
  }
}

/** The revisions needed for the changes of some moments. */
export function revisionsOf(group: Group, from: number, to: number): Set<Revision> {
  const revisions = new Set<Revision>()
  const before = revisionAt(group, from - 1)
  if (before) revisions.add(before)
  for (const {revision} of group.moments.slice(Math.max(0, from), to)) if (revision) revisions.add(revision)
  return revisions
}

/** The id under which the log stores a group's draft, or a release version that is a separate group. */
export function unpublishedId(publishedId: string): string {
  return isPublishedId(publishedId) ? draftId(publishedId) : publishedId
}

function revisionAt({moments}: Group, index: number): Revision | undefined {
  return moments.findLast(({revision}, at) => at <= index && revision !== undefined)?.revision
}
