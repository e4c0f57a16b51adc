import type {Document} from '../../content/document.ts'
import {byId} from '../../content/indexes/bucket.ts'
import {MAX_KEY_LENGTH} from '../../content/keys.ts'
import type {View} from '../../content/view.ts'
import {type Budget, tooSlow} from './budget.ts'
import type {Plan} from './plan/plan.ts'

/**
 * Maximum documents that one query may examine, over all its lookups. It stops joins of everything with
 * everything.
 */
const MAX_EXAMINED = 5_000_000

/** Estimated bytes of a key, and of a document in a list that is built for one query. */
const KEY_BYTES = 64
const CANDIDATE_BYTES = 40

/** The keys for the slots of a plan. */
type Slots = readonly (readonly string[] | undefined)[]

/** The documents of one query: those that it dereferences, and those that lookups find. */
export class QuerySource {
  readonly #view: View
  readonly #budget: Budget
  /** The number of documents that the query has examined. */
  examined = 0

  constructor(view: View, budget: Budget) {
    this.#view = view
    this.#budget = budget
  }

  /** The document with an id; null if there is none. */
  dereference(id: string): Document | null {
    this.#budget.step(10)
    return this.#view.get(id) ?? null
  }

  /** The documents that a plan finds; all documents without a plan. */
  lookUp(plan: Plan | undefined, slots: Slots): readonly Document[] {
    this.#budget.take(KEY_BYTES * slots.reduce((sum, keys) => sum + (keys?.length ?? 0), 0))
    const choice = plan && choose(plan, slots, this.#view)
    if (choice === undefined) return this.#count(this.#view.all())
    this.#budget.step(choice.count)
    const isJoined = choice.lookups.length > 1 || choice.lookups.some(({keys}) => keys.length > 1)
    if (isJoined) this.#budget.take(CANDIDATE_BYTES * choice.count)
    const found = choice.lookups.map(({index, keys}) => this.#view.find(index, keys))
    const [first, ...others] = found
    return this.#count(others.length === 0 ? (first ?? []) : [...new Set(found.flat())].sort(byId))
  }

  /** Counts documents that the query examines. @throws QueryError if it examines too many */
  #count(documents: readonly Document[]): readonly Document[] {
    this.examined += documents.length
    if (this.examined > MAX_EXAMINED) throw tooSlow()
    return documents
  }
}

/** Lookups that together find all candidates of a filter. */
type Choice = {
  readonly lookups: readonly {readonly index: string; readonly keys: readonly string[]}[]
  /** The maximum number of documents that they find. */
  readonly count: number
}

/**
 * Chooses the lookups of a plan, given the keys of its slots; undefined if all documents must be examined.
 */
function choose(
  plan: Plan,
  slots: readonly (readonly string[] | undefined)[],
  view: View,
): Choice | undefined {
  if (plan.kind === 'lookup') return chooseKeys(plan.index, slots[plan.slot], view)
  let best: Choice | undefined
  const lookups = []
  let count = 0
  for (const part of plan.of) {
    const choice = choose(part, slots, view)
    if (plan.kind === 'all') {
      if (choice !== undefined && (best === undefined || choice.count < best.count)) best = choice
    } else {
      if (choice === undefined) return undefined
      lookups.push(...choice.lookups)
      count += choice.count
    }
  }
  return plan.kind === 'all' ? best : {lookups, count}
}

function chooseKeys(index: string, given: readonly string[] | undefined, view: View): Choice | undefined {
  if (given === undefined) return undefined
  const keys = [...new Set(given)]
  // Longer values are not indexed.
  if (keys.some((key) => key.length > MAX_KEY_LENGTH)) return undefined
  return {lookups: [{index, keys}], count: view.count(index, keys)}
}
