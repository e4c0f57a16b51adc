import {MAX_KEY_LENGTH} from '../documents/keys.ts'
import type {View} from '../documents/view.ts'
import type {Plan} from './plan.ts'

/** The lookups whose documents, together, are all candidates of a filter. */
export type Choice = {
  readonly lookups: readonly {readonly index: string; readonly keys: readonly string[]}[]
  /** How many documents they find, at most. */
  readonly count: number
}

/**
 * Documents that a lookup by type must save against another one to be worth it. Every document of the type changes
 * the answer then, in the eyes of sync tags, so a lookup that says more is better even where it finds no fewer.
 */
const TYPE_PENALTY = 256

/** Chooses what a plan looks up, given the keys of its slots; undefined when every document must be seen. */
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
  // Documents are not indexed by longer values.
  if (keys.some((key) => key.length > MAX_KEY_LENGTH)) return undefined
  return {lookups: [{index, keys}], count: view.count(index, keys)}
}

function cost(choice: Choice): number {
  return choice.count + (choice.lookups.some(({index}) => index === '_type') ? TYPE_PENALTY : 0)
}
