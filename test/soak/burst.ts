import type {JsonObject} from '../../common/json.ts'
import {send} from './api.ts'
import {hold, Violation} from './violation.ts'

/** Concurrent publishes of one document. */
const SENDERS = 4

/** The document, written only by this burst. */
const BURST_ID = 'burst'
const TYPE = 'burst'
export const firstBurst = {_id: BURST_ID, _type: TYPE, count: 0}

/** Publishes one document repeatedly, without a pause. */
export class Burst {
  readonly #size: number
  /** Lower and upper bound of the document's counter. */
  #acknowledged = 0
  #sent = 0
  #transactions = 0
  #started = 0

  /** @param size publishes in one burst */
  constructor(size: number) {
    this.#size = size
  }

  /** Acknowledged publishes. */
  get acknowledged(): number {
    return this.#transactions
  }

  /**
   * Sends a burst until all of it is acknowledged or the lake stops responding.
   * @throws Violation
   */
  async run(address: string): Promise<void> {
    let left = this.#size
    const sender = async () => {
      while (left > 0) {
        left -= 1
        this.#sent += 1
        this.#started += 1
        const {status, body} = await send(address, 'mutate', {
          transactionId: `burst.${this.#started}`,
          mutations: [{patch: {id: BURST_ID, inc: {count: 1}}}],
        })
        hold(status === 200, `a publish of a burst returned ${status}: ${JSON.stringify(body)}`)
        this.#acknowledged += 1
        this.#transactions += 1
      }
    }
    const results = await Promise.allSettled(Array.from({length: SENDERS}, sender))
    for (const result of results) {
      if (result.status === 'rejected' && result.reason instanceof Violation) throw result.reason
    }
  }

  /**
   * Checks that no acknowledged publish is lost or reverted.
   * @throws Violation
   */
  check(documents: ReadonlyMap<string, JsonObject>): void {
    const count = documents.get(BURST_ID)?.count
    hold(
      typeof count === 'number' && count >= this.#acknowledged && count <= this.#sent,
      `a burst counted to ${count}: ${this.#acknowledged} publishes were acknowledged of ${this.#sent} sent`,
    )
    this.#acknowledged = count
    this.#sent = count
  }
}
