import {isDeepStrictEqual} from 'node:util'
import type {JsonObject} from '../../common/json.ts'
import {send} from './api.ts'
import {chooseOperation, type Known, type Operation} from './operations.ts'
import type {Random} from './random.ts'
import {Tally} from './tally.ts'
import {hold, Violation} from './violation.ts'

const documentsEach = 6

/** Changes documents as fast as responses arrive, and records what the lake has acknowledged. */
export class SoakWriter {
  readonly name: string
  readonly tally: Tally
  readonly #random: Random
  readonly #ids: readonly string[]
  readonly #state = new Map<string, Known>()
  #pending: Operation | undefined
  #sent = 0
  /** Acknowledged transactions. */
  acknowledged = 0

  constructor(name: string, random: Random) {
    this.name = name
    this.#random = random
    this.#ids = Array.from({length: documentsEach}, (_, number) => `${name}-${number}`)
    this.tally = new Tally(name, random)
  }

  /**
   * Writes until the lake stops responding.
   * @throws Violation
   */
  async run(address: string): Promise<void> {
    try {
      for (;;) await this.#once(address)
    } catch (error) {
      if (error instanceof Violation) throw error
    }
  }

  async #once(address: string): Promise<void> {
    this.#sent += 1
    const transactionId = `${this.name}.${this.#sent}`
    if (this.#random.chance(0.1)) {
      await this.tally.count(address, transactionId)
    } else {
      const operation = chooseOperation(this.#random, this.#ids, this.#state, transactionId)
      this.#pending = operation
      const {status, body} = await send(address, operation.route, operation.body)
      this.#pending = undefined
      const answer = `${told(operation)} returned ${status}: ${JSON.stringify(body)}`
      hold(status === 200, answer)
      this.#take(operation.changes)
    }
    this.acknowledged += 1
  }

  /**
   * Compares acknowledged transactions with the documents. A transaction without a response must be applied
   * as a whole or not at all.
   * @throws Violation
   */
  check(documents: ReadonlyMap<string, JsonObject>): void {
    const actual = new Map(
      Array.from(documents).flatMap(([id, document]): [string, Known][] =>
        this.#ids.includes(id.replace(/^drafts\./, '')) ? [[id, knownOf(id, document)]] : [],
      ),
    )
    const pending = this.#pending
    this.#pending = undefined
    const without = differences(this.#state, actual)
    if (without.length === 0) return
    if (pending === undefined)
      throw new Violation(`${this.name} lost an acknowledged change: ${without.join('; ')}`)
    this.#take(pending.changes)
    const whole = differences(this.#state, actual)
    hold(
      whole.length === 0,
      `${told(pending)} is neither complete (${whole.join('; ')}) nor absent (${without.join('; ')})`,
    )
  }

  #take(changes: Operation['changes']): void {
    for (const [id, known] of changes) {
      if (known === undefined) this.#state.delete(id)
      else this.#state.set(id, known)
    }
  }
}

function knownOf(id: string, document: JsonObject): Known {
  const {_rev, _createdAt, _updatedAt, ...content} = document
  return {content, ...(id.startsWith('drafts.') && {revision: String(_rev)})}
}

function differences(expected: ReadonlyMap<string, Known>, actual: ReadonlyMap<string, Known>): string[] {
  return [...new Set([...expected.keys(), ...actual.keys()])]
    .filter((id) => !isDeepStrictEqual(expected.get(id), actual.get(id)))
    .map((id) => `${id} should be ${brief(expected.get(id))} and is ${brief(actual.get(id))}`)
}

function brief(known: Known | undefined): string {
  return known === undefined
    ? 'absent'
    : `"${String(known.content.value)}" of ${known.revision ?? 'its content'}`
}

function told({route, body}: Operation): string {
  return `${route} ${JSON.stringify(body, (name, value) => (name === 'filler' ? '…' : value))}`
}
