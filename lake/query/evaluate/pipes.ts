import {child, childOrNull, children, type Node, NULL} from '../ast.ts'
import type {Budget} from '../budget.ts'
import {type Code, mapped} from './code.ts'
import {takeObject} from './operators.ts'
import {matchScore} from './textMatch.ts'
import {compareForOrder, isRecord} from './values.ts'

type Compile = (node: Node) => Code

/** Estimated bytes of an item that is being ordered, without its keys. */
const RANKED_BYTES = 80

/** `| order(…)`: https://spec.groq.dev/GROQ-1.revision1/#sec-order */
export function order(base: Code, args: readonly Node[], compile: Compile): Code {
  const isDescending = args.map(({type}) => type === 'Desc')
  const keys = args.map((arg) => compile(keyOf(arg)))
  return sorting(base, keys, (items, valuesOf, budget) => {
    const {mark} = budget
    const ranked = items.map((item) => {
      const values = valuesOf(item)
      budget.take(RANKED_BYTES + 16 * keys.length)
      return {item, values}
    })
    ranked.sort((a, b) => {
      for (let at = 0; at < keys.length; at += 1) {
        const difference = compareForOrder(a.values[at], b.values[at], budget)
        if (difference !== 0) return isDescending[at] ? -difference : difference
      }
      return 0
    })
    budget.release(mark, 16 * ranked.length)
    return ranked.map(({item}) => item)
  })
}

/** What an argument of `order()` sorts by, without the direction. */
function keyOf(arg: Node): Node {
  return arg.type === 'Asc' || arg.type === 'Desc' ? (child(arg, 'base') ?? arg) : arg
}

/** `| score(…)`: https://spec.groq.dev/GROQ-1.revision1/#sec-score */
export function score(base: Code, args: readonly Node[], compile: Compile): Code {
  const keys = args.map((arg) => compileScore(arg, compile))
  return sorting(base, keys, (items, valuesOf, budget) => {
    const scored = items.filter(isRecord).map((item) => {
      const scores = valuesOf(item)
      takeObject(item, budget)
      const scoreSoFar = typeof item._score === 'number' ? item._score : 0
      return {...item, _score: scores.reduce<number>((sum, part) => sum + Number(part), scoreSoFar)}
    })
    return scored.sort((a, b) => b._score - a._score)
  })
}

/** Sorts the items of a list by the values of some keys. Anything else than a list becomes null. */
function sorting(
  base: Code,
  keys: readonly Code[],
  sort: (
    items: readonly unknown[],
    valuesOf: (item: unknown) => readonly unknown[],
    budget: Budget,
  ) => readonly unknown[],
): Code {
  return (scope) => {
    const items = base(scope)
    if (!Array.isArray(items)) return null
    const {budget} = scope.evaluation
    const valuesOf = (item: unknown) => {
      budget.step(1 + keys.length)
      const nested = scope.nested(item)
      return keys.map((key) => key(nested))
    }
    return sort(items, valuesOf, budget)
  }
}

/** The score of one argument, a number. */
function compileScore(node: Node, compile: Compile): Code {
  const part = (key: string) => compile(childOrNull(node, key))
  const scoreOf = (key: string) => compileScore(childOrNull(node, key), compile)
  if (node.type === 'OpCall' && node.op === 'match') {
    return mapped([part('left'), part('right')], ([text, pattern], {evaluation}) =>
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
    return mapped([scoreOf('left'), scoreOf('right')], ([left, right]) =>
      node.type === 'And' && (left === 0 || right === 0) ? 0 : Number(left) + Number(right),
    )
  }
  return mapped([compile(node)], ([value]) => Number(value === true))
}
