import type {Change, Transaction} from '../documents/document.ts'
import {type Effects, effectsOf} from '../history/mendoza.ts'

/** What a listener asked to be told. */
export type MutationDetail = {
  readonly includeResult: boolean
  readonly includePreviousRevision: boolean
  readonly includeMutations: boolean
  /** How to get from one state to the next and back, as Studio follows documents. */
  readonly includeEffects: boolean
}

/** How a document's place in the listener's query changed. */
export type Transition = 'appear' | 'update' | 'disappear'

/** The `mutation` event of one changed document. https://www.sanity.io/docs/http-reference/listen */
export function mutationEvent(
  transaction: Transaction,
  number: number,
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
    transactionTotalEvents: transaction.changes.length,
    transactionCurrentEvent: number,
    ...(before && {previousRev: before._rev}),
    // Studio waits for this on deletes too, or a form says "Saving…" for ever.
    resultRev: after?._rev ?? transaction.id,
    ...(detail.includeMutations && {mutations: transaction.mutations?.get(id) ?? mutations(change)}),
    ...(detail.includeEffects && {effects: effects(change)}),
    ...(detail.includeResult && after && {result: after}),
    ...(detail.includePreviousRevision && {previous: before ?? null}),
  }
}

/** A commit holds states, not steps: the mutation that leads from one to the other. */
function mutations({id, before, after}: Change) {
  if (after === undefined) return [{delete: {id}}]
  return before === undefined ? [{create: after}] : [{createOrReplace: after}]
}

/** Every open form listens to the same changes: their effects are found once. */
const known = new WeakMap<Change, Effects>()

function effects(change: Change): Effects {
  let found = known.get(change)
  if (found === undefined) {
    found = effectsOf(change.before, change.after)
    known.set(change, found)
  }
  return found
}
