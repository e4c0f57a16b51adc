import type {JsonObject} from '../common/json.ts'

/** An attribute that has another value in each published document of a type. */
export type UniqueAttribute = {
  readonly type: string
  readonly attribute: string
  /** What people call the attribute, such as `public ID`. */
  readonly label: string
  /** What happens while two documents have the same value, and what to do, as sentences for the operator. */
  readonly ifShared: string
}

/** A value that several documents have. */
export type SharedValue = {
  readonly rule: UniqueAttribute
  readonly value: string
  readonly ids: readonly string[]
}

/** The published documents with a value of one attribute. */
type Index = {
  readonly rule: UniqueAttribute
  readonly ids: Map<string, Set<string>>
  readonly values: Map<string, string>
  readonly shared: Set<string>
}

/** The values of unique attributes, and which published documents have them. */
export class UniqueValues {
  readonly #indexes: readonly Index[]

  constructor(rules: readonly UniqueAttribute[]) {
    this.#indexes = rules.map((rule) => ({rule, ids: new Map(), values: new Map(), shared: new Set()}))
  }

  /** Values that several documents have. */
  get shared(): readonly SharedValue[] {
    return this.#indexes.flatMap(({rule, ids, shared}) =>
      Array.from(shared, (value) => ({rule, value, ids: [...(ids.get(value) ?? [])].sort()})),
    )
  }

  /** Replaces a published document. Undefined: it was deleted. */
  put(id: string, document: JsonObject | undefined): void {
    for (const {rule, ids, values, shared} of this.#indexes) {
      const before = values.get(id)
      const after = uniqueValueOf(rule, document)
      if (before === after) continue
      if (before !== undefined) {
        const others = ids.get(before)
        others?.delete(id)
        values.delete(id)
        if (others?.size === 0) ids.delete(before)
        if (others?.size === 1) shared.delete(before)
      }
      if (after !== undefined) {
        const holders = ids.get(after) ?? new Set()
        ids.set(after, holders.add(id))
        values.set(id, after)
        if (holders.size > 1) shared.add(after)
      }
    }
  }

  /**
   * Finds documents that get a value that another one has. A document may keep what it has: otherwise a commit that
   * takes its value would prevent every change of it.
   * @param changed the new states of documents that change together; undefined for deleted ones
   * @returns the id of the first such document, and what is wrong as a sentence
   */
  problemOf(
    changed: ReadonlyMap<string, JsonObject | undefined>,
  ): {readonly id: string; readonly problem: string} | undefined {
    for (const {rule, ids, values} of this.#indexes) {
      const taken = new Map<string, string>()
      for (const [id, document] of changed) {
        const value = uniqueValueOf(rule, document)
        if (value === undefined || value === values.get(id)) continue
        const holders = ids.get(value) ?? []
        const holder = taken.get(value) ?? [...holders].find((other) => staysAt(rule, value, other, changed))
        if (holder !== undefined) {
          const problem = `The ${rule.label} "${value}" belongs to the ${rule.type} "${holder}": choose a different one`
          return {id, problem}
        }
        taken.set(value, id)
      }
    }
    return undefined
  }
}

/** Whether a document that has a value still has it after a change. */
function staysAt(
  rule: UniqueAttribute,
  value: string,
  id: string,
  changed: ReadonlyMap<string, JsonObject | undefined>,
): boolean {
  return !changed.has(id) || uniqueValueOf(rule, changed.get(id)) === value
}

function uniqueValueOf(
  {type, attribute}: UniqueAttribute,
  document: JsonObject | undefined,
): string | undefined {
  const value = document?._type === type ? document[attribute] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
