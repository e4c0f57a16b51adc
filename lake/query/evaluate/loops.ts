import {childOrNull, children, type Node} from '../ast.ts'
import type {Budget} from '../budget.ts'
import type {Code} from './code.ts'
import {takeAttributes, takeObject} from './operators.ts'
import {isRecord} from './values.ts'

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
  return (scope) => {
    const items = base(scope)
    if (!Array.isArray(items)) return null
    const {budget} = scope.evaluation
    const result: unknown[] = []
    for (const item of items) {
      budget.step(1)
      add(result, item, expression(scope.nested(item, isHidden)), budget)
    }
    return result
  }
}

/** A part of an object: `"name": value`, `...value`, or `condition => value`. */
type Part = {readonly name?: string; readonly condition?: Code; readonly value: Code}

/** Compiles `{…}`. */
export function compileObject(node: Node, compile: (node: Node) => Code): Code {
  const parts = children(node, 'attributes').map((attribute): Part => {
    const value = compile(childOrNull(attribute, 'value'))
    if (attribute.type === 'ObjectAttributeValue') return {name: String(attribute.name), value}
    if (attribute.type === 'ObjectSplat') return {value}
    return {value, condition: compile(childOrNull(attribute, 'condition'))}
  })
  const named = parts.filter(({name}) => name !== undefined).length
  return (scope) => {
    const {budget} = scope.evaluation
    budget.step(1 + parts.length)
    takeAttributes(named, budget)
    const result: Record<string, unknown> = {}
    for (const {name, condition, value} of parts) {
      if (condition !== undefined && condition(scope) !== true) continue
      put(result, name, value(scope), budget)
    }
    return result
  }
}

function put(
  result: Record<string, unknown>,
  name: string | undefined,
  value: unknown,
  budget: Budget,
): void {
  if (name !== undefined) {
    // An assignment to this name would replace the prototype.
    if (name !== '__proto__') result[name] = value
  } else if (isRecord(value)) {
    takeObject(value, budget)
    Object.assign(result, value)
  }
}
