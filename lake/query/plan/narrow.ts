import type {Beginnings} from '../../../content/indexes/wordFilters.ts'
import type {IndexName} from '../../../content/keys.ts'
import type {View} from '../../../content/view.ts'
import {termsIn} from '../words.ts'
import type {Plan} from './plan.ts'

/** Longer patterns, and patterns of more terms, do not narrow. */
const MAX_PATTERN_LENGTH = 1_000
const MAX_TERMS = 16

/** What every document that a filter selects has: such words, or one of these keys. */
export type Narrowing = {
  readonly words: readonly Beginnings[]
  readonly lookups: readonly {readonly index: IndexName; readonly keys: readonly string[]}[]
}

/** What a plan says about words, given the keys of its slots; undefined if it says nothing. */
export function narrowingOf(
  plan: Plan,
  slots: readonly (readonly string[] | undefined)[],
  view: View,
): Narrowing | undefined {
  const found = conditionOf(plan, slots, view)
  return found === undefined || found.words.length === 0 ? undefined : withoutRepeated(found)
}

function conditionOf(
  plan: Plan,
  slots: readonly (readonly string[] | undefined)[],
  view: View,
): Narrowing | undefined {
  if (plan.kind === 'lookup') {
    const keys = slots[plan.slot]
    return keys && {words: [], lookups: [{index: plan.index, keys}]}
  }
  if (plan.kind === 'words') {
    const beginnings = beginningsOf(slots[plan.slot] ?? [], plan.all)
    return beginnings && {words: [beginnings], lookups: []}
  }
  // Such a document has a score even if no argument matches.
  if (plan.kind === 'score' && view.hasKeys('_score')) return undefined
  const parts = plan.of.map((part) => conditionOf(part, slots, view))
  if (plan.kind === 'all') return parts.find((part) => part !== undefined && part.words.length > 0)
  const known = parts.filter((part) => part !== undefined)
  if (known.length < parts.length) return undefined
  return {words: known.flatMap(({words}) => words), lookups: known.flatMap(({lookups}) => lookups)}
}

/** With which texts words begin, if patterns match; undefined if they may match any text. */
function beginningsOf(patterns: readonly string[], all: boolean): Beginnings | undefined {
  if (patterns.reduce((sum, {length}) => sum + length, 0) > MAX_PATTERN_LENGTH) return undefined
  const terms = patterns.flatMap(termsIn)
  const texts = terms.flatMap((term) => /^\w+/.exec(term) ?? [])
  if (texts.length === 0 || texts.length > MAX_TERMS || (!all && texts.length < terms.length))
    return undefined
  return {texts, all}
}

/** Leaves out words that are searched for several times, such as in several attributes. */
function withoutRepeated({words, lookups}: Narrowing): Narrowing {
  const named = words.map((each): [string, Beginnings] => [`${each.all}\n${each.texts.join('\n')}`, each])
  return {words: [...new Map(named).values()], lookups}
}
