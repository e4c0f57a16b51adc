import type {Budget} from '../budget.ts'
import {type Code, stepsOf} from './code.ts'

/** Adds what an item of a list evaluated to. */
type Add = (result: unknown[], item: unknown, value: unknown, budget: Budget) => void

/** `base[expression]`: the items for which the expression is true. */
export function filter(base: Code, expression: Code): Code {
  return loop(base, expression, false, (result, item, value, budget) => {
    if (value !== true) return
    budget.take(16)
    result.push(item)
  })
}

/** `base[].expression` */
export function map(base: Code, expression: Code): Code {
  return loop(base, expression, true, (result, _item, value, budget) => {
    budget.take(16)
    result.push(value)
  })
}

/** `base[].expression[]`: lists that the expression makes are joined. */
export function flatMap(base: Code, expression: Code): Code {
  return loop(base, expression, true, (result, _item, value, budget) => {
    if (!Array.isArray(value)) {
      budget.take(16)
      result.push(value)
      return
    }
    budget.takeList(value.length)
    for (const inner of value) result.push(inner)
  })
}

/**
 * Evaluates an expression for each item of a list, in its own scope. Anything else than a list makes
 * null.
 */
function loop(base: Code, expression: Code, isHidden: boolean, add: Add): Code {
  const {steps} = expression
  return {
    steps: stepsOf([base, expression]),
    now: (scope) => {
      const items = base.now(scope)
      if (!Array.isArray(items)) return null
      const {budget} = scope.evaluation
      const result: unknown[] = []
      for (const item of items) {
        budget.step(steps)
        add(result, item, expression.now(scope.nested(item, isHidden)), budget)
      }
      return result
    },
  }
}
