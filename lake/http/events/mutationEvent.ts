import type {Change, Transaction} from '../../../content/document.ts'
import {effectsOf, mutationOf} from '../../history/mendoza.ts'

/** What a listener wants to receive. */
export type MutationDetail = {
  readonly includeResult: boolean
  readonly includePreviousRevision: boolean
  readonly includeMutations: boolean
  /**
   * Whether to send the differences between the states in both directions, with which Studio follows
   * documents.
   */
  readonly includeEffects: boolean
}

/** How a document's place in the listener's query changed. */
export type Transition = 'appear' | 'update' | 'disappear'

/**
 * The `mutation` event of one changed document. https://www.sanity.io/docs/http-reference/listen
 * @param place the number of the event among those that the listener gets of the transaction. Studio waits for all of
 * them: a form would show "Saving…" for as long as it waits for those of documents that it does not listen to.
 */
export function mutationEvent(
  transaction: Transaction,
  place: {readonly number: number; readonly total: number},
  change: Change,
  transition: Transition,
  detail: MutationDetail,
) {
  const {id, before, after} = change
  return {
    eventId: `${transaction.id}#${id}`,
    documentId: id,
    transactionId: transaction.id,
    transition,
    identity: transaction.identity,
    timestamp: transaction.timestamp,
    visibility: 'query',
    transactionTotalEvents: place.total,
    transactionCurrentEvent: place.number,
    ...(before && {previousRev: before._rev}),
    // Studio waits for this on deletes too; without it a form keeps showing "Saving…".
    resultRev: after?._rev ?? transaction.id,
    ...(detail.includeMutations && {mutations: transaction.mutations?.get(id) ?? [mutationOf(change)]}),
    ...(detail.includeEffects && {effects: effectsOf(before, after)}),
    ...(detail.includeResult && after && {result: after}),
    ...(detail.includePreviousRevision && {previous: before ?? null}),
  }
}
