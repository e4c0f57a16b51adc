import type {Budget} from '../../budget.ts'
import {DateTime} from '../../scalars.ts'
import {finite, isEqual} from '../values.ts'

type Apply = (values: readonly unknown[], budget: Budget) => unknown

/** Functions of lists. */
export const listFunctions: readonly (readonly [name: string, apply: Apply])[] = [
  ['array::compact', ([list], budget) => filtered(list, (item) => item !== null, budget)],
  ['array::intersects', ([left, right], budget) => intersects(left, right, budget)],
  ['array::unique', ([list], budget) => unique(list, budget)],
  ['math::avg', ([list], budget) => ofNumbers(list, average, budget)],
  ['math::max', ([list], budget) => ofNumbers(list, (numbers) => extreme(numbers, (a, b) => a > b), budget)],
  ['math::min', ([list], budget) => ofNumbers(list, (numbers) => extreme(numbers, (a, b) => a < b), budget)],
  ['math::sum', ([list], budget) => ofNumbers(list, (numbers) => finite(sum(numbers)), budget)],
]

/** The number of characters of a text, or of items of a list. */
export function lengthOf(value: unknown, budget: Budget): number | null {
  if (Array.isArray(value)) return value.length
  if (typeof value !== 'string') return null
  budget.step(value.length >> 3)
  let count = 0
  for (let at = 0; at < value.length; at += 1) {
    const unit = value.charCodeAt(at)
    // The first half of a pair is not a separate character.
    if (unit < 0xd800 || unit > 0xdbff) count += 1
  }
  return count
}

function filtered(list: unknown, test: (item: unknown) => boolean, budget: Budget): unknown {
  if (!Array.isArray(list)) return null
  budget.takeList(list.length)
  return list.filter(test)
}

/** Estimated bytes of an item of a set. */
const SET_ITEM_BYTES = 40

function unique(list: unknown, budget: Budget): unknown {
  if (!Array.isArray(list)) return null
  const {mark} = budget
  budget.take(SET_ITEM_BYTES * list.length)
  const seen = new Set<unknown>()
  const result = filtered(
    list,
    (item) => {
      budget.step(typeof item === 'string' ? item.length >> 4 : 1)
      if (item === null || (typeof item === 'object' && !(item instanceof DateTime)) || !seen.has(item)) {
        seen.add(item)
        return true
      }
      return false
    },
    budget,
  )
  budget.release(mark, 16 * list.length)
  return result
}

function intersects(left: unknown, right: unknown, budget: Budget): boolean | null {
  if (!Array.isArray(left) || !Array.isArray(right)) return null
  return left.some((item) => {
    budget.step(1 + (right.length >> 1))
    return right.some((other) => isEqual(item ?? null, other ?? null, budget))
  })
}

/** Applies a function to a list of numbers. Null is left out; any other value makes the result null. */
function ofNumbers(
  list: unknown,
  apply: (numbers: readonly number[]) => number | null,
  budget: Budget,
): unknown {
  if (!Array.isArray(list)) return null
  budget.takeList(list.length)
  const numbers: number[] = []
  for (const item of list) {
    if (item === null) continue
    if (typeof item !== 'number') return null
    numbers.push(item)
  }
  return apply(numbers)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}

function average(numbers: readonly number[]): number | null {
  return numbers.length === 0 ? null : finite(sum(numbers) / numbers.length)
}

function extreme(numbers: readonly number[], isBetter: (a: number, b: number) => boolean): number | null {
  const [first, ...others] = numbers
  return first === undefined
    ? null
    : others.reduce((best, number) => (isBetter(number, best) ? number : best), first)
}
