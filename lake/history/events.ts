import {isPublishedId} from '../../content/ids.ts'
import {type Group, type Line, type States, unpublishedId} from './groupTimeline.ts'
import type {TimelineEntry} from './timeline.ts'

/** Something that happened to a document or its draft, in the format of Studio's events store. */
export type DocumentEvent = {
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
export function isEventful({revision, step}: TimelineEntry): boolean {
  return (
    revision !== undefined || (step !== undefined && (step.before === undefined || step.after === undefined))
  )
}

/**
 * The events of a moment, the latest first. The line of a draft contains both its own creation and deletion,
 * and the events of the published document.
 */
export function eventsAt(group: Group, index: number, line: Line, states: States): DocumentEvent[] {
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
