import type {Document} from '../../../../content/document.ts'
import type {Order} from '../../../../content/indexes/order.ts'
import {View} from '../../../../content/view.ts'
import {child, type Node} from '../../ast.ts'
import {Budget} from '../../budget.ts'
import {isOwnValue} from '../../plan/ownValue.ts'
import {QuerySource} from '../../source.ts'
import {type Code, type Evaluation, Scope} from '../code.ts'
import {Patterns} from '../textMatch.ts'
import {compareForOrder} from '../values.ts'

/** What comes between the parentheses of `order()`. */
export type Ordering = {
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

/** The order of documents by these arguments, if each of them is about a document alone. */
export function documentOrder(args: readonly Node[], {keys, compare}: Ordering): Order | undefined {
  const name = JSON.stringify(args)
  if (name.length > MAX_NAME_LENGTH || !args.every((arg) => isOwnValue(keyOf(arg)))) return undefined
  return {
    name,
    keysOf: (document: Document) => {
      const scope = new Scope(UNLIMITED, document)
      return keys.map((key) => key.now(scope))
    },
    compareKeys: (a, b) => compare(a, b, UNLIMITED.budget),
  }
}

/** Longer orders are not kept. */
const MAX_NAME_LENGTH = 2_000

/** What an argument of `order()` sorts by, without the direction. */
export function keyOf(arg: Node): Node {
  return arg.type === 'Asc' || arg.type === 'Desc' ? (child(arg, 'base') ?? arg) : arg
}

/** For values that depend on one document alone. Changes of documents keep lists in order, outside of queries. */
const UNLIMITED: Evaluation = unlimited()

function unlimited(): Evaluation {
  const budget = new Budget(Number.POSITIVE_INFINITY)
  budget.beginSlice(Number.POSITIVE_INFINITY)
  const environment = {projectId: '', dataset: '', identity: ''}
  const source = new QuerySource(new View(), budget)
  return {params: {}, source, budget, patterns: new Patterns(), environment, time: new Date(0)}
}
