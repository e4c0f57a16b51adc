import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {Step} from './path.ts'

/** Units of {@link Work}, as measured: following one step of a path, and copying one member of an object. */
const UNITS_PER_STEP = 8
const UNITS_PER_MEMBER = 4

/** The positions in a list that a step of a path selects. */
type Places = {
  /** Ascending, without duplicates, none below 0. Indexes beyond the end are included: `set` appends. */
  readonly indexes: readonly number[]
  /** The position at which `insert` puts items before these. An empty list or range has one, too. */
  readonly start: number
  /** The position at which `insert` puts items after these. */
  readonly end: number
}

/** What an operation does at the end of its path. Neither function modifies its input. */
export type Operation = {
  /** Whether missing objects on the path are created. */
  readonly creates: boolean
  onItems(items: readonly unknown[], places: Places, work: Work): readonly unknown[]
  /** @param names of members, which may be missing */
  onMembers(object: JsonObject, names: readonly string[], work: Work): JsonObject
}

/**
 * Returns a copy of a value with an operation applied at every place that a path selects. The copy shares
 * everything else with the input, which is not modified.
 * @throws TooMuchWorkError, and what the operation throws
 */
export function updateAt(
  value: unknown,
  path: readonly Step[],
  operation: Operation,
  work: Work,
  depth = 0,
): unknown {
  const step = path[depth]
  if (step === undefined) return value
  work.spend(UNITS_PER_STEP)
  const isLast = depth === path.length - 1
  const descend = (inner: unknown) => updateAt(inner, path, operation, work, depth + 1)
  // A recursive step applies to nested values first.
  const inner = step.recursive
    ? replaceInside(value, work, (member) => updateAt(member, path, operation, work, depth))
    : value
  if (Array.isArray(inner)) {
    const items: readonly unknown[] = inner
    const places = placesIn(items, step, work)
    if (places === undefined) return items
    return isLast
      ? operation.onItems(items, places, work)
      : replaceItems(items, places.indexes, work, descend)
  }
  const creates = operation.creates && !step.recursive
  if (!isJsonObject(inner) && !creates) return inner
  const object = isJsonObject(inner) ? inner : {}
  const found = step.recursive ? step.names.filter((name) => Object.hasOwn(object, name)) : step.names
  if (found.length === 0) return inner === undefined ? object : inner
  return isLast ? operation.onMembers(object, found, work) : replaceMembers(object, found, work, descend)
}

/** A copy of a list with some of its items replaced. Ignores indexes beyond its end. */
export function replaceItems(
  items: readonly unknown[],
  indexes: Iterable<number>,
  work: Work,
  replace: (item: unknown) => unknown,
): readonly unknown[] {
  let copy: unknown[] | undefined
  for (const index of indexes) {
    work.spend(1)
    if (index >= items.length) continue
    const next = replace(items[index])
    if (Object.is(next, items[index])) continue
    if (copy === undefined) {
      work.spend(items.length)
      copy = [...items]
    }
    copy[index] = next
  }
  return copy ?? items
}

/**
 * A copy of an object with some members replaced. A missing one is passed as undefined, and stays missing if that is returned.
 * Avoids assignment, with which `__proto__` would set the prototype.
 */
export function replaceMembers(
  object: JsonObject,
  names: readonly string[],
  work: Work,
  replace: (member: unknown) => unknown,
): JsonObject {
  const changed: [string, unknown][] = []
  for (const name of names) {
    work.spend(1)
    const member = Object.hasOwn(object, name) ? object[name] : undefined
    const next = replace(member)
    if (!Object.is(next, member)) changed.push([name, next])
  }
  if (changed.length === 0) return object
  const entries = Object.entries(object)
  work.spend(UNITS_PER_MEMBER * (entries.length + changed.length))
  return Object.fromEntries([...entries, ...changed])
}

function replaceInside(value: unknown, work: Work, replace: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return replaceItems(value, value.keys(), work, replace)
  return isJsonObject(value) ? replaceMembers(value, Object.keys(value), work, replace) : value
}

/** The positions in a list that a step selects; undefined if it does not apply to lists. */
function placesIn(items: readonly unknown[], {ranges}: Step, work: Work): Places | undefined {
  const indexes = new Set<number>()
  let first = Number.POSITIVE_INFINITY
  let last = 0
  for (const rangesIn of ranges) {
    work.spend(items.length)
    for (const [start, end] of rangesIn(items)) {
      first = Math.min(first, start)
      last = Math.max(last, end)
      work.spend(end - start)
      for (let index = start; index < end; index += 1) if (index >= 0) indexes.add(index)
    }
  }
  if (first === Number.POSITIVE_INFINITY) return undefined
  return {indexes: [...indexes].sort((a, b) => a - b), start: Math.max(0, first), end: Math.max(0, last)}
}

/** A patch operation that would take too long. */
export class TooMuchWorkError extends Error {}

/**
 * The budget of one patch operation, in units of about 50 ns: reading or copying an item costs one. In total
 * this is about 100 ms, enough to change each of 100,000 items, or to patch a text of 5 MB.
 */
const UNITS = 2_000_000

/**
 * Counts the work of one operation, so that none can block other requests. It counts instead of measuring
 * time, so that the result does not depend on the load of the machine.
 */
export class Work {
  #left = UNITS

  /** @throws TooMuchWorkError */
  spend(units: number): void {
    this.#left -= units
    if (this.#left < 0)
      throw new TooMuchWorkError(
        'this operation is too expensive: change fewer values, or set the value that contains them',
      )
  }
}
