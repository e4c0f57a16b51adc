import type {JsonObject} from '../common/json.ts'

/** An attribute that has another value in each published document of some types. */
export type UniqueAttribute = {
  readonly types: readonly string[]
  readonly attribute: string
  /** Compares only documents for which this is the same, and none for which it is undefined. By default, all. */
  readonly within?: (document: JsonObject) => string | undefined
  /** What people call the attribute, such as `public ID`. */
  readonly label: string
  /** What people call a document that has it, such as `site`. */
  readonly holder: string
  /** What happens while two documents have the same value, and what to do, as sentences for the operator. */
  readonly ifShared: string
}

/** A value that several documents have. */
type SharedValue = {
  readonly rule: UniqueAttribute
  readonly value: string
  readonly holders: readonly {readonly id: string; readonly type: string}[]
}

/** The value of a document. Those with the same key must not be shared. */
type Held = {readonly key: string; readonly value: string; readonly type: string}

/** The values of an attribute by document, and the documents by key. */
type Values = {readonly held: Map<string, Held>; readonly ids: Map<string, Set<string>>}

/** The values of unique attributes, and which published documents have them. */
export class UniqueValues {
  readonly #values: ReadonlyMap<UniqueAttribute, Values>

  constructor(rules: readonly UniqueAttribute[]) {
    this.#values = new Map(rules.map((rule) => [rule, {held: new Map(), ids: new Map()}]))
  }

  /** Values that several documents have. */
  get shared(): readonly SharedValue[] {
    return [...this.#values].flatMap(([rule, {held, ids}]) =>
      [...ids.values()]
        .filter(({size}) => size > 1)
        .map((sharing) => {
          const holders = [...sharing].sort().map((id) => ({id, type: held.get(id)?.type ?? ''}))
          return {rule, value: held.get(holders[0]?.id ?? '')?.value ?? '', holders}
        }),
    )
  }

  /** Replaces a published document. Undefined: it was deleted. */
  put(id: string, document: JsonObject | undefined): void {
    for (const [rule, {held, ids}] of this.#values) {
      const before = held.get(id)
      const sharing = ids.get(before?.key ?? '')
      sharing?.delete(id)
      if (before !== undefined && sharing?.size === 0) ids.delete(before.key)
      const after = heldBy(rule, document)
      if (after === undefined) held.delete(id)
      else {
        held.set(id, after)
        ids.set(after.key, (ids.get(after.key) ?? new Set()).add(id))
      }
    }
  }

  /**
   * Finds documents that get a value that another one has. A document may keep what it has: otherwise a commit that
   * takes its value would prevent every change of it.
   * @param changed the new states of documents that change together; undefined for deleted ones
   * @returns the id of the first such document, and what is wrong as a sentence
   */
  problemOf(changed: ReadonlyMap<string, JsonObject | undefined>) {
    for (const [rule, {held, ids}] of this.#values) {
      const taken = new Map<string, string>()
      for (const [id, document] of changed) {
        const wanted = heldBy(rule, document)
        if (wanted === undefined || wanted.key === held.get(id)?.key) continue
        const {key, value} = wanted
        const keeps = (other: string) => !changed.has(other) || heldBy(rule, changed.get(other))?.key === key
        const holder = taken.get(key) ?? [...(ids.get(key) ?? [])].find(keeps)
        if (holder !== undefined) {
          const problem = `The ${rule.label} "${value}" belongs to another ${rule.holder}, "${holder}": choose a different one`
          return {id, problem}
        }
        taken.set(key, id)
      }
    }
    return undefined
  }
}

function heldBy(
  {types, attribute, within = () => ''}: UniqueAttribute,
  document: JsonObject | undefined,
): Held | undefined {
  if (document === undefined || typeof document._type !== 'string' || !types.includes(document._type))
    return undefined
  const value = document[attribute]
  const place = within(document)
  if (typeof value !== 'string' || value === '' || place === undefined) return undefined
  return {key: JSON.stringify([place, value]), value, type: document._type}
}
