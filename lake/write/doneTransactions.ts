import {hash} from 'node:crypto'
import {LRUCache} from 'lru-cache'
import {refuse} from './errors.ts'
import type {Effect} from './workspace.ts'
import type {Request} from './writer.ts'

/** Effects of past transactions that are kept. */
const MAX_KEPT_EFFECTS = 100_000

/**
 * What the last transactions did, for clients that did not get the response and send the request again. It keeps ids of
 * documents and no documents: a thousand revisions of large ones would not fit into memory.
 */
export class DoneTransactions {
  readonly #done = new LRUCache<string, {readonly digest: string; readonly effects: readonly Effect[]}>({
    maxSize: MAX_KEPT_EFFECTS,
    sizeCalculation: ({effects}) => effects.length + 1,
  })

  /**
   * The effects of this request where it was done before, undefined where it was not.
   * @throws RefusedError when its transaction id was used for another request
   */
  effectsOf(transactionId: string, digest: string): readonly Effect[] | undefined {
    const done = this.#done.get(transactionId)
    if (done !== undefined && done.digest !== digest) throw refuse.usedTransactionId(transactionId)
    return done?.effects
  }

  /** Notes a transaction that is done. */
  add(transactionId: string, digest: string, effects: readonly Effect[]): void {
    this.#done.set(transactionId, {digest, effects})
  }
}

/** What a request is recognised by when it is sent again: who sent it, and all that it asks for. */
export function digestOf(request: Request): string {
  const steps = 'mutations' in request ? {mutations: request.mutations} : {actions: request.actions}
  return hash('sha256', JSON.stringify([request.principal.id, steps]), 'base64url')
}
