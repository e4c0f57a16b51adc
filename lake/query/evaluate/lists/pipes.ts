import {child, children, type Node} from '../../ast.ts'
import type {Budget} from '../../budget.ts'
import {type Code, inSlices, mapped, stepsOf} from '../code.ts'
import {takeObject} from '../operators.ts'
import {matchScore} from '../textMatch.ts'
import {isRecord} from '../values.ts'
import {orderingOf} from './order.ts'
import {sortInSlices} from './sort.ts'

type Compile = (node: Node) => Code

/** An item, and what it is ordered by. */
type Ranked = {readonly item: unknown; readonly keys: readonly unknown[]}

/** Estimated bytes of an item that is being ordered, without its keys. */
const RANKED_BYTES = 80

/** `| order(…)`: https://spec.groq.dev/GROQ-1.revision1/#sec-order */
export function order(base: Code, args: readonly Node[], compile: Compile): Code {
  const {keys, compare} = orderingOf(args, compile)
  const steps = stepsOf(keys)
  const compareBy = (budget: Budget) => (a: Ranked, b: Ranked) => compare(a.keys, b.keys, budget)
  const itemsOf = (ranked: readonly Ranked[], mark: number, budget: Budget) => {
    budget.release(mark, 16 * ranked.length)
    return ranked.map(({item}) => item)
  }
  return {
    steps: stepsOf([base, ...keys]),
    now: (scope) => {
      const items = base.now(scope)
      if (!Array.isArray(items)) return null
      const {budget} = scope.evaluation
      const {mark} = budget
      const ranked: Ranked[] = []
      for (const item of items) {
        budget.step(steps)
        budget.take(RANKED_BYTES + 16 * keys.length)
        const nested = scope.nested(item)
        ranked.push({item, keys: keys.map((key) => key.now(nested))})
      }
      return itemsOf(ranked.sort(compareBy(budget)), mark, budget)
    },
    *sliced(scope) {
      const items = yield* inSlices(base, scope)
      if (!Array.isArray(items)) return null
      const {budget} = scope.evaluation
      const {mark} = budget
      const ranked: Ranked[] = []
      for (const item of items) {
        budget.step(steps)
        if (budget.isDue) yield
        budget.take(RANKED_BYTES + 16 * keys.length)
        const nested = scope.nested(item)
        const values: unknown[] = []
        for (const key of keys) values.push(yield* inSlices(key, nested))
        ranked.push({item, keys: values})
      }
      return itemsOf(yield* sortInSlices(ranked, compareBy(budget), budget), mark, budget)
    },
  }
}

/** `| score(…)`: https://spec.groq.dev/GROQ-1.revision1/#sec-score */
export function score(base: Code, args: readonly Node[], compile: Compile): Code {
  const scores = args.map((arg) => compileScore(arg, compile))
  const steps = stepsOf(scores)
  const byScore = (a: {_score: number}, b: {_score: number}) => b._score - a._score
  const scoreSoFar = ({_score}: {readonly [name: string]: unknown}) =>
    typeof _score === 'number' ? _score : 0
  return {
    steps: stepsOf([base, ...scores]),
    now: (scope) => {
      const items = base.now(scope)
      if (!Array.isArray(items)) return null
      const {budget} = scope.evaluation
      const scored: {_score: number}[] = []
      for (const item of items) {
        budget.step(steps)
        if (!isRecord(item)) continue
        const nested = scope.nested(item)
        let _score = scoreSoFar(item)
        for (const part of scores) _score += Number(part.now(nested))
        takeObject(item, budget)
        scored.push({...item, _score})
      }
      return scored.sort(byScore)
    },
    *sliced(scope) {
      const items = yield* inSlices(base, scope)
      if (!Array.isArray(items)) return null
      const {budget} = scope.evaluation
      const scored: {_score: number}[] = []
      for (const item of items) {
        budget.step(steps)
        if (budget.isDue) yield
        if (!isRecord(item)) continue
        const nested = scope.nested(item)
        let _score = scoreSoFar(item)
        for (const part of scores) _score += Number(yield* inSlices(part, nested))
        takeObject(item, budget)
        scored.push({...item, _score})
      }
      return yield* sortInSlices(scored, byScore, budget)
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
