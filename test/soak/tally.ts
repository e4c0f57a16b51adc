import type {JsonObject} from '../../common/json.ts'
import {find, send} from './api.ts'
import type {Random} from './random.ts'
import {hold} from './violation.ts'

/** One published document and one draft that all writers change, always both by one transaction. */
const documents = ['tally', 'drafts.count']

export const firstTally = {_id: 'tally', _type: 'tally', total: 0}

/** What one writer has counted up in documents that others change at the same time. */
export class Tally {
  readonly name: string
  readonly #random: Random
  /** Acknowledged increments. */
  acknowledged = 0
  #sent = 0

  constructor(name: string, random: Random) {
    this.name = name
    this.#random = random
  }

  /**
   * Increments a counter. Half of the time with ifRevisionID, which may fail.
   * @throws Error where no answer comes
   */
  async count(address: string, transactionId: string): Promise<void> {
    const number = this.acknowledged + 1
    const found = this.#random.chance(0.5) ? await find(address, '*[_type == "tally"]') : undefined
    const mutations = documents.flatMap((id) => [
      {createIfNotExists: {...firstTally, _id: id}},
      {
        patch: {
          id,
          ...(found?.has(id) && {ifRevisionID: found.get(id)?._rev}),
          inc: {total: 1},
          set: {[this.name]: number},
        },
      },
    ])
    this.#sent = number
    const {status, body} = await send(address, 'mutate', {transactionId, mutations})
    if (status === 200) this.acknowledged = number
    else {
      hold(status === 409 && found !== undefined, `counting returned ${status}: ${JSON.stringify(body)}`)
      this.#sent = this.acknowledged
    }
  }

  /**
   * Compares the counters with the documents.
   * @throws Violation
   */
  check(tallies: ReadonlyMap<string, JsonObject>): void {
    const counts = documents.map((id) => tallies.get(id)?.[this.name] ?? 0)
    const [first] = counts
    hold(
      counts.every((count) => count === first),
      `a transaction was applied in part: ${told(tallies)}`,
    )
    const possible = [this.acknowledged, this.#sent]
    hold(
      typeof first === 'number' && possible.includes(first),
      `${this.name} counted up to ${possible.join(' or ')}: ${told(tallies)}`,
    )
    this.acknowledged = first
    this.#sent = first
  }
}

/**
 * Checks that no writer's increment was overwritten by another writer.
 * @throws Violation
 */
export function checkTotals(tallies: ReadonlyMap<string, JsonObject>, names: readonly string[]): void {
  for (const [id, tally] of tallies) {
    const sum = names.reduce((total, name) => total + Number(tally[name] ?? 0), 0)
    hold(tally.total === sum, `an update of ${id} was lost: ${told(tallies)}`)
  }
}

function told(tallies: ReadonlyMap<string, JsonObject>): string {
  return JSON.stringify([...tallies.values()])
}
