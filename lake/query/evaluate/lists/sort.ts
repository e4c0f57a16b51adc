import type {Budget} from '../../budget.ts'

/** Maximum items that are sorted without interruption. */
const RUN = 500

/** Sorts in slices. Equal items keep their order. */
export function* sortInSlices<T>(
  items: readonly T[],
  compare: (a: T, b: T) => number,
  budget: Budget,
): Generator<undefined, T[]> {
  let runs: T[][] = []
  for (let start = 0; start < items.length; start += RUN) {
    if (budget.isDue) yield
    runs.push(items.slice(start, start + RUN).sort(compare))
  }
  while (runs.length > 1) {
    const merged: T[][] = []
    for (let at = 0; at < runs.length; at += 2) {
      merged.push(yield* merge(runs[at] ?? [], runs[at + 1] ?? [], compare, budget))
    }
    runs = merged
  }
  return runs[0] ?? []
}

function* merge<T>(
  left: readonly T[],
  right: readonly T[],
  compare: (a: T, b: T) => number,
  budget: Budget,
): Generator<undefined, T[]> {
  const result: T[] = []
  let taken = 0
  for (const item of left) {
    for (let other = right[taken]; other !== undefined && compare(other, item) < 0; other = right[taken]) {
      result.push(other)
      taken += 1
    }
    if (budget.isDue) yield
    result.push(item)
  }
  for (const item of right.slice(taken)) result.push(item)
  return result
}
