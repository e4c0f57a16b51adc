import type {Node} from '../ast.ts'
import type {Narrowing} from '../plan/narrow.ts'
import {keysOf, type LookupNode} from '../plan/plan.ts'
import {type Code, type Evaluation, inSlices, mapped, type Scope} from './code.ts'

/** More documents than this are not looked at without a break. */
export const MAX_AT_ONCE = 2_000

/** What a lookup searches for. */
export type Search = {
  readonly keys: readonly (readonly string[] | undefined)[]
  /** Which words narrow it; they are prepared. */
  readonly narrowing: Narrowing | undefined
}

/** Evaluates what a lookup searches for. */
export type SearchCode = {
  readonly steps: number
  now(scope: Scope): Search
  sliced(scope: Scope): Generator<undefined, Search>
}

/** Compiles the slots of a lookup. */
export function compileSearch({plan, slots}: LookupNode, compile: (node: Node) => Code): SearchCode {
  const values = mapped(
    slots.map(({expression}) => compile(expression)),
    (values) => values,
  )
  const begin = ({source}: Evaluation, found: unknown) => {
    const keys = slots.map((slot, at) => (Array.isArray(found) ? keysOf(slot, found[at]) : undefined))
    return {keys, narrowing: source.narrowing(plan, keys)}
  }
  return {
    steps: values.steps,
    now: (scope) => {
      const {source, budget} = scope.evaluation
      const search = begin(scope.evaluation, values.now(scope))
      let left = MAX_AT_ONCE
      const isDue = () => {
        left -= 1
        if (left === 0) budget.beginLongWork()
        return false
      }
      if (search.narrowing !== undefined) source.prepare(search.narrowing, isDue)
      return search
    },
    *sliced(scope) {
      const {source, budget} = scope.evaluation
      const search = begin(scope.evaluation, yield* inSlices(values, scope))
      const isDue = () => {
        budget.step(100)
        return budget.isDue
      }
      while (search.narrowing !== undefined && !source.prepare(search.narrowing, isDue)) yield
      return search
    },
  }
}
