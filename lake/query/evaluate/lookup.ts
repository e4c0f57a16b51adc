import type {Node} from '../ast.ts'
import type {Narrowing} from '../plan/narrow.ts'
import {keysOf, type LookupNode} from '../plan/plan.ts'
import {type Code, mapped, type Scope} from './code.ts'

/** What a lookup searches for. */
type Search = {
  readonly keys: readonly (readonly string[] | undefined)[]
  /** Which words narrow it; they are prepared. */
  readonly narrowing: Narrowing | undefined
}

/** Evaluates what a lookup searches for. */
type SearchCode = {
  readonly steps: number
  now(scope: Scope): Search
}

/** Compiles the slots of a lookup. */
export function compileSearch({plan, slots}: LookupNode, compile: (node: Node) => Code): SearchCode {
  const values = mapped(
    slots.map(({expression}) => compile(expression)),
    (values) => values,
  )
  return {
    steps: values.steps,
    now: (scope) => {
      const {source} = scope.evaluation
      const found = values.now(scope)
      const keys = slots.map((slot, at) => (Array.isArray(found) ? keysOf(slot, found[at]) : undefined))
      const narrowing = source.narrowing(plan, keys)
      if (narrowing !== undefined) source.prepare()
      return {keys, narrowing}
    },
  }
}
