import {child, children, type Node} from '../../ast.ts'
import type {Budget} from '../../budget.ts'
import {type Code, mapped, stepsOf} from '../code.ts'
import {takeObject} from '../operators.ts'
import {matchScore} from '../textMatch.ts'
import {isRecord} from '../values.ts'
import {orderingOf} from './order.ts'

type Compile = (node: Node) => Code

/** How a pipe ranks and sorts items. */
type Ranking<Item, Entry> = {
  /** Compute what an item is sorted by. */
  readonly keys: readonly Code[]
  /** Items that it does not accept are left out. */
  readonly accepts: (item: unknown) => item is Item
  /** @param values of the keys */
  readonly entryOf: (item: Item, values: readonly unknown[], budget: Budget) => Entry
  readonly compareBy: (budget: Budget) => (a: Entry, b: Entry) => number
  /** @param mark of the budget before the first entry */
  readonly resultOf: (sorted: readonly Entry[], mark: number, budget: Budget) => readonly unknown[]
}

/** An item, and what it is ordered by. */
type Ranked = {readonly item: unknown; readonly keys: readonly unknown[]}

type Scored = {readonly _score: number}

/** Estimated bytes of an item that is being ordered, without its keys. */
const RANKED_BYTES = 80

/** `| order(…)`: https://spec.groq.dev/GROQ-1.revision1/#sec-order */
export function order(base: Code, args: readonly Node[], compile: Compile): Code {
  const {keys, compare} = orderingOf(args, compile)
  return sorting(base, {
    keys,
    accepts: (_item): _item is unknown => true,
    entryOf: (item, values, budget): Ranked => {
      budget.take(RANKED_BYTES + 16 * keys.length)
      return {item, keys: values}
    },
    compareBy: (budget) => (a, b) => compare(a.keys, b.keys, budget),
    resultOf: (ranked, mark, budget) => {
      budget.release(mark, 16 * ranked.length)
      return ranked.map(({item}) => item)
    },
  })
}

/** `| score(…)`: https://spec.groq.dev/GROQ-1.revision1/#sec-score */
export function score(base: Code, args: readonly Node[], compile: Compile): Code {
  return sorting(base, {
    keys: args.map((arg) => compileScore(arg, compile)),
    accepts: isRecord,
    entryOf: (item, scores, budget): Scored => {
      takeObject(item, budget)
      const scoreSoFar = typeof item._score === 'number' ? item._score : 0
      return {...item, _score: scores.reduce<number>((sum, part) => sum + Number(part), scoreSoFar)}
    },
    compareBy: () => (a, b) => b._score - a._score,
    resultOf: (scored) => scored,
  })
}

/** Sorts the items of a list. Anything else than a list becomes null. */
function sorting<Item, Entry>(
  base: Code,
  {keys, accepts, entryOf, compareBy, resultOf}: Ranking<Item, Entry>,
): Code {
  const steps = stepsOf(keys)
  return {
    steps: stepsOf([base, ...keys]),
    now: (scope) => {
      const items = base.now(scope)
      if (!Array.isArray(items)) return null
      const {budget} = scope.evaluation
      const {mark} = budget
      const entries: Entry[] = []
      for (const item of items) {
        budget.step(steps)
        if (!accepts(item)) continue
        const nested = scope.nested(item)
        const values = keys.map((key) => key.now(nested))
        entries.push(entryOf(item, values, budget))
      }
      return resultOf(entries.sort(compareBy(budget)), mark, budget)
    },
  }
}

/** The score of one argument, a number. */
function compileScore(node: Node, compile: Compile): Code {
  const part = (key: string) => child(node, key) ?? NULL
  if (node.type === 'OpCall' && node.op === 'match') {
    return mapped([compile(part('left')), compile(part('right'))], ([text, pattern], {evaluation}) =>
      matchScore(text, pattern, evaluation.patterns, evaluation.budget),
    )
  }
  if (node.type === 'FuncCall' && node.name === 'boost') {
    const [arg = NULL, boost = NULL] = children(node, 'args')
    return mapped([compileScore(arg, compile), compile(boost)], ([inner, amount]) =>
      typeof amount === 'number' && Number(inner) > 0 ? Number(inner) + amount : 0,
    )
  }
  if (node.type === 'Or' || node.type === 'And') {
    const parts = [compileScore(part('left'), compile), compileScore(part('right'), compile)]
    return mapped(parts, ([left, right]) =>
      node.type === 'And' && (left === 0 || right === 0) ? 0 : Number(left) + Number(right),
    )
  }
  return mapped([compile(node)], ([value]) => Number(value === true))
}

const NULL: Node = {type: 'Value', value: null}
