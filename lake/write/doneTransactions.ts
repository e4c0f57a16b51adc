import {LRUCache} from 'lru-cache'
import type {DraftSteps} from '../../content/drafts/draftSteps.ts'
import {refuse} from './errors.ts'
import type {Effect} from './transaction/workspace.ts'

/** Maximum number of effects of past transactions that are kept. */
const MAX_KEPT_EFFECTS = 100_000

/**
 * The effects of recent transactions, for clients that did not get the response and retry the request. Holds
 * ids of documents instead of documents: a thousand revisions of large ones would not fit into memory.
 */
export class DoneTransactions {
  readonly #done = new LRUCache<string, {readonly digest: string; readonly effects: readonly Effect[]}>({
    maxSize: MAX_KEPT_EFFECTS,
    sizeCalculation: ({effects}) => effects.length + 1,
  })

  /**
   * Returns the effects of a request that was applied before; undefined otherwise.
   * @throws RefusedError when its transaction id was used for another request
   */
  effectsOf(transactionId: string, digest: string): readonly Effect[] | undefined {
    const done = this.#done.get(transactionId)
    if (done !== undefined && done.digest !== digest) throw refuse.usedTransactionId(transactionId)
    return done?.effects
  }

  /** Records what requests did to drafts before the lake was started. */
  load(changes: ReturnType<DraftSteps['latest']>): void {
    for (const {draft, transactionId, request, operation} of changes) {
      const effects = this.#done.get(transactionId)?.effects ?? []
      this.add(transactionId, request, [...effects, {id: draft, operation}])
    }
  }

  /** Records a transaction. */
  add(transactionId: string, digest: string, effects: readonly Effect[]): void {
    this.#done.set(transactionId, {digest, effects})
  }
}
