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

/** The values of unique attributes, and which published documents have them. */
export class UniqueValues {
  /** The values by document. */
  readonly #values: ReadonlyMap<UniqueAttribute, Map<string, string>>

  constructor(rules: readonly UniqueAttribute[]) {
    this.#values = new Map(rules.map((rule) => [rule, new Map()]))
  }

  /** Values that several documents have. */
  get shared(): readonly SharedValue[] {
    return [...this.#values].flatMap(([rule, values]) =>
      [...Map.groupBy(values, ([, value]) => value)]
        .filter(([, holders]) => holders.length > 1)
        .map(([value, holders]) => ({rule, value, ids: holders.map(([id]) => id).sort()})),
    )
  }

  /** Replaces a published document. Undefined: it was deleted. */
  put(id: string, document: JsonObject | undefined): void {
    for (const [rule, values] of this.#values) {
      const value = uniqueValueOf(rule, document)
      if (value === undefined) values.delete(id)
      else values.set(id, value)
    }
  }

  /**
   * Finds documents that get a value that another one has. A document may keep what it has: otherwise a commit that
   * takes its value would prevent every change of it.
   * @param changed the new states of documents that change together; undefined for deleted ones
   * @returns the id of the first such document, and what is wrong as a sentence
   */
  problemOf(changed: ReadonlyMap<string, JsonObject | undefined>) {
    for (const [rule, values] of this.#values) {
      const taken = new Map<string, string>()
      for (const [id, document] of changed) {
        const value = uniqueValueOf(rule, document)
        if (value === undefined || value === values.get(id)) continue
        const isHolder = (other: string) =>
          values.get(other) === value &&
          (!changed.has(other) || uniqueValueOf(rule, changed.get(other)) === value)
        const holder = taken.get(value) ?? [...values.keys()].find(isHolder)
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

function uniqueValueOf(
  {type, attribute}: UniqueAttribute,
  document: JsonObject | undefined,
): string | undefined {
  const value = document?._type === type ? document[attribute] : undefined
  return typeof value === 'string' && value !== '' ? value : undefined
}
