import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {Selector, Step} from './path.ts'

/** Units of {@link Work}, as measured: following one step of a path, and copying one member of an object. */
const UNITS_PER_STEP = 8
const UNITS_PER_MEMBER = 4

/** The positions in a list that a step of a path selects. */
export type Places = {
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
  const present = (name: string) => Object.hasOwn(object, name)
  const names = namesIn(step)
  const found = step.recursive ? names.filter(present) : names
  if (found.length === 0) return inner
  if (isLast) return operation.onMembers(object, found, work)
  return replaceMembers(object, creates ? found : found.filter(present), work, descend)
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

/** A copy of an object with some of its members replaced. A missing member is passed as an empty object. */
export function replaceMembers(
  object: JsonObject,
  names: readonly string[],
  work: Work,
  replace: (member: unknown) => unknown,
): JsonObject {
  const changed: [string, unknown][] = []
  for (const name of names) {
    work.spend(1)
    const isThere = Object.hasOwn(object, name)
    const next = replace(isThere ? object[name] : {})
    if (!isThere || !Object.is(next, object[name])) changed.push([name, next])
  }
  return changed.length === 0 ? object : withMembers(object, changed, work)
}

/**
 * A copy of an object with some members set. Avoids assignment, with which `__proto__` would set the
 * prototype.
 */
export function withMembers(
  object: JsonObject,
  members: readonly (readonly [string, unknown])[],
  work: Work,
): JsonObject {
  const entries = Object.entries(object)
  work.spend(UNITS_PER_MEMBER * (entries.length + members.length))
  return Object.fromEntries([...entries, ...members])
}

function replaceInside(value: unknown, work: Work, replace: (inner: unknown) => unknown): unknown {
  if (Array.isArray(value)) return replaceItems(value, value.keys(), work, replace)
  return isJsonObject(value) ? replaceMembers(value, Object.keys(value), work, replace) : value
}

function namesIn({selectors}: Step): string[] {
  return selectors.flatMap((selector) => (selector.kind === 'name' ? [selector.name] : []))
}

/** The positions in a list that a step selects; undefined if it does not apply to lists. */
function placesIn(items: readonly unknown[], {selectors}: Step, work: Work): Places | undefined {
  const indexes = new Set<number>()
  let start = Number.POSITIVE_INFINITY
  let end = 0
  for (const selector of selectors) {
    for (const range of rangesOf(items, selector, work)) {
      start = Math.min(start, range.start)
      end = Math.max(end, range.end)
      work.spend(range.end - range.start)
      for (let index = range.start; index < range.end; index += 1) if (index >= 0) indexes.add(index)
    }
  }
  if (start === Number.POSITIVE_INFINITY) return undefined
  return {indexes: [...indexes].sort((a, b) => a - b), start: Math.max(0, start), end: Math.max(0, end)}
}

type Range = {readonly start: number; readonly end: number}

function* rangesOf(items: readonly unknown[], selector: Selector, work: Work): Generator<Range> {
  const fromStart = (index: number) => (index < 0 ? index + items.length : index)
  // Clamped, so that no loop runs beyond the ends of the list.
  const clamp = (index: number) => Math.max(0, Math.min(items.length, Math.trunc(fromStart(index))))
  switch (selector.kind) {
    case 'index': {
      const start = fromStart(selector.index)
      yield {start, end: start + 1}
      return
    }
    case 'range': {
      const start = clamp(selector.start ?? 0)
      yield {start, end: Math.max(start, clamp(selector.end ?? items.length))}
      return
    }
    case 'filter':
      for (const [index, item] of items.entries()) {
        work.spend(1)
        if (selector.matches(item)) yield {start: index, end: index + 1}
      }
  }
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
