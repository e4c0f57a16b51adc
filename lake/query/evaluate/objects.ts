import {childOrNull, children, type Node} from '../ast.ts'
import type {Budget} from '../budget.ts'
import {type Code, stepsOf} from './code.ts'
import {takeAttributes, takeObject} from './operators.ts'
import {isRecord} from './values.ts'

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
  const codes = parts.flatMap(({condition, value}) =>
    condition === undefined ? [value] : [condition, value],
  )
  const named = parts.filter(({name}) => name !== undefined).length
  return {
    steps: stepsOf(codes),
    now: (scope) => {
      const {budget} = scope.evaluation
      takeAttributes(named, budget)
      const result: Record<string, unknown> = {}
      for (const {name, condition, value} of parts) {
        if (condition !== undefined && condition.now(scope) !== true) continue
        put(result, name, value.now(scope), budget)
      }
      return result
    },
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
