import {MAX_KEY_LENGTH} from '../../../content/keys.ts'
import type {View} from '../../../content/view.ts'
import type {Plan} from './plan.ts'

/** Lookups that together find all candidates of a filter. */
type Choice = {
  readonly lookups: readonly {readonly index: string; readonly keys: readonly string[]}[]
  /** The maximum number of documents that they find. */
  readonly count: number
}

/**
 * How many documents a lookup by type must save to be preferred over another lookup. With a lookup by type,
 * every change of a document of the type changes the result's sync tags, so a more specific lookup is better
 * even if it finds as many.
 */
const TYPE_PENALTY = 256

/**
 * Chooses the lookups of a plan, given the keys of its slots; undefined if all documents must be examined.
 */
export function choose(
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
      if (choice !== undefined && (best === undefined || cost(choice) < cost(best))) best = choice
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

function cost(choice: Choice): number {
  return choice.count + (choice.lookups.some(({index}) => index === '_type') ? TYPE_PENALTY : 0)
}
