import {child, type Node} from '../../ast.ts'
import type {Budget} from '../../budget.ts'
import type {Code} from '../code.ts'
import {compareForOrder} from '../values.ts'

/** What comes between the parentheses of `order()`. */
type Ordering = {
  readonly keys: readonly Code[]
  /** Compares the values of the keys of two items. */
  readonly compare: (a: readonly unknown[], b: readonly unknown[], budget: Budget) => number
}

/** Compiles the arguments of `order()`. */
export function orderingOf(args: readonly Node[], compile: (node: Node) => Code): Ordering {
  const isDescending = args.map(({type}) => type === 'Desc')
  const keys = args.map((arg) => compile(keyOf(arg)))
  return {
    keys,
    compare: (a, b, budget) => {
      for (let at = 0; at < keys.length; at += 1) {
        const difference = compareForOrder(a[at], b[at], budget)
        if (difference !== 0) return isDescending[at] ? -difference : difference
      }
      return 0
    },
  }
}

/** What an argument of `order()` sorts by, without the direction. */
function keyOf(arg: Node): Node {
  return arg.type === 'Asc' || arg.type === 'Desc' ? (child(arg, 'base') ?? arg) : arg
}
