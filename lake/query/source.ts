import type {Document} from '../../content/document.ts'
import {byId} from '../../content/indexes/bucket.ts'
import type {Order} from '../../content/indexes/order.ts'
import type {SortedList} from '../../content/indexes/sortedList.ts'
import {MAX_KEY_LENGTH, REFERENCES, VERSIONS} from '../../content/keys.ts'
import type {View} from '../../content/view.ts'
import type {Node} from './ast.ts'
import type {Budget} from './budget.ts'
import {QueryError} from './errors.ts'
import {choose} from './plan/choose.ts'
import {type Narrowing, narrowingOf} from './plan/narrow.ts'
import type {Plan} from './plan/plan.ts'
import {AnswerTags} from './tags.ts'

/**
 * Maximum documents that one query may examine, over all its lookups. It stops joins of everything with
 * everything.
 */
const MAX_EXAMINED = 5_000_000

/** Estimated bytes of a key, and of a document in a list that is built for one query. */
const KEY_BYTES = 64
const CANDIDATE_BYTES = 40

/** With fewer candidates, sorting them is as quick as keeping them sorted. */
const MIN_ORDERED = 500

/** With fewer candidates, reading them is as quick as finding those with some words. */
const MIN_NARROWED = 200

/** Maximum lists in order that are merged. */
const MAX_PARTS = 16

/** Indexes of which lists in order are not kept: a document may have several keys, or there are few documents per key. */
const NOT_ORDERED: ReadonlySet<string> = new Set(['_id', REFERENCES, VERSIONS])

/** The keys for the slots of a plan. */
type Slots = readonly (readonly string[] | undefined)[]

/** Documents that are kept in an order, and how to find them for sorting them first. */
export type OrderedPart = {readonly list: SortedList; readonly find: () => readonly Document[]}

/** The documents of one query: those that it dereferences, and those that lookups find. */
export class QuerySource {
  readonly #view: View
  readonly #budget: Budget
  readonly #results = new Map<Node, unknown>()
  readonly tags = new AnswerTags()
  /** The number of documents that the query has examined. */
  examined = 0

  constructor(view: View, budget: Budget) {
    this.#view = view
    this.#budget = budget
  }

  /** The document with an id; null if there is none. */
  dereference(id: string): Document | null {
    this.#budget.step(10)
    // Document ids are never longer.
    if (id.length <= MAX_KEY_LENGTH) this.tags.add('_id', [id])
    return this.#view.get(id) ?? null
  }

  hasResult(subquery: Node): boolean {
    return this.#results.has(subquery)
  }

  /** The cached result of a subquery. */
  resultOf(subquery: Node): unknown {
    return this.#results.get(subquery)
  }

  remember(subquery: Node, result: unknown): unknown {
    this.#results.set(subquery, result)
    return result
  }

  /** Which words narrow what a plan finds, if that is much. Call {@link prepare} for it. */
  narrowing(plan: Plan | undefined, slots: Slots): Narrowing | undefined {
    if (plan === undefined || (choose(plan, slots, this.#view)?.count ?? this.#view.size) < MIN_NARROWED)
      return undefined
    return narrowingOf(plan, slots, this.#view)
  }

  /** Prepares for a narrowing until it is done, or `isDue` returns true. Returns whether it is done. */
  prepare({words}: Narrowing, isDue: () => boolean): boolean {
    return words.every(({index}) => this.#view.words.prepare(index, isDue))
  }

  /** The documents that a narrowing leaves, by `_id`; undefined if they are more than `most`. */
  narrowed({words, lookups}: Narrowing, most: number): readonly Document[] | undefined {
    const found = new Set<Document>()
    for (const {index, beginnings} of words) {
      this.#budget.step(this.#view.size >> 3)
      for (const document of this.#view.words.find(index, beginnings)) found.add(document)
    }
    for (const {index, keys} of lookups)
      for (const document of this.#view.find(index, keys)) found.add(document)
    this.#budget.take(CANDIDATE_BYTES * found.size)
    return found.size > most ? undefined : [...found].sort(byId)
  }

  /**
   * The documents that a plan finds; all documents without a plan.
   * @param narrowing that is prepared
   */
  lookUp(plan: Plan | undefined, slots: Slots, narrowing?: Narrowing): readonly Document[] {
    this.#budget.take(KEY_BYTES * slots.reduce((sum, keys) => sum + (keys?.length ?? 0), 0))
    const choice = plan && choose(plan, slots, this.#view)
    const narrowed = narrowing && this.narrowed(narrowing, (choice?.count ?? this.#view.size) / 2)
    if (narrowed !== undefined) {
      if (choice === undefined) this.tags.addEverything()
      for (const {index, keys} of choice?.lookups ?? []) this.tags.add(index, keys)
      return this.#count(narrowed)
    }
    if (choice === undefined) {
      this.tags.addEverything()
      return this.#count(this.#view.all())
    }
    this.#budget.step(choice.count)
    const isJoined = choice.lookups.length > 1 || choice.lookups.some(({keys}) => keys.length > 1)
    if (isJoined) this.#budget.take(CANDIDATE_BYTES * choice.count)
    const found = choice.lookups.map(({index, keys}) => {
      this.tags.add(index, keys)
      return this.#view.find(index, keys)
    })
    const [first, ...others] = found
    return this.#count(others.length === 0 ? (first ?? []) : [...new Set(found.flat())].sort(byId))
  }

  /**
   * The lists that together have what {@link lookUp} would find, each in an order; undefined if sorting what
   * it finds is as quick.
   * @param wanted how many documents are read, if a filter selects all of them
   */
  inOrder(
    plan: Plan | undefined,
    slots: Slots,
    order: Order,
    wanted: number,
    narrowing?: Narrowing,
  ): readonly OrderedPart[] | undefined {
    const choice = plan && choose(plan, slots, this.#view)
    const [lookup, ...others] = choice?.lookups ?? []
    const count = choice?.count ?? this.#view.size
    if (count < MIN_ORDERED || others.length > 0) return undefined
    // If every n-th document has the words, n times as many are read.
    if (narrowing && this.narrowed(narrowing, Math.sqrt(wanted * count)) !== undefined) return undefined
    if (lookup === undefined) {
      this.tags.addEverything()
      return [{list: this.#view.inOrder(undefined, order), find: () => this.#view.all()}]
    }
    const {index, keys} = lookup
    if (NOT_ORDERED.has(index) || keys.length > MAX_PARTS) return undefined
    this.tags.add(index, keys)
    return keys.map((key) => ({
      list: this.#view.inOrder({index, key}, order),
      find: () => this.#view.find(index, [key]),
    }))
  }

  /** The documents of each type that a lookup of types finds; undefined if it has to examine all documents. */
  byType(plan: Plan | undefined, slots: Slots): readonly (readonly Document[])[] | undefined {
    const choice = plan && choose(plan, slots, this.#view)
    const [lookup, ...others] = choice?.lookups ?? []
    if (lookup?.index !== '_type' || others.length > 0) return undefined
    this.tags.add('_type', lookup.keys)
    const groups = lookup.keys.map((key) => this.#view.find('_type', [key]))
    this.#budget.step(groups.length)
    this.count(groups.filter(({length}) => length > 0).length)
    return groups
  }

  /** Counts documents that the query examines. @throws QueryError if it examines too many */
  count(documents: number): void {
    this.examined += documents
    if (this.examined > MAX_EXAMINED) throw new QueryError('the query takes too long: narrow its filters')
  }

  #count(documents: readonly Document[]): readonly Document[] {
    this.count(documents.length)
    return documents
  }
}
