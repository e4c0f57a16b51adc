import {childOrNull, children, type Node} from '../ast.ts'
import {QueryError} from '../errors.ts'
import {isLookup, keysOf, type LookupNode} from '../plan/plan.ts'
import {binary, type Code, mapped, type Scope, unary} from './code.ts'
import {functions, notImplemented} from './functions/functions.ts'
import {compileObject, filter, flatMap, map} from './loops.ts'
import {element, isInRange, operatorNamed, slice} from './operators.ts'
import {order, score} from './pipes.ts'
import {textsIn} from './references.ts'
import {attributeOf, isRecord} from './values.ts'

/**
 * Compiles a syntax tree of groq-js into functions that evaluate it within the budget of the evaluation. The
 * results are the same as those of groq-js's own evaluator, which cannot limit memory.
 * @throws QueryError for an expression that no lake can evaluate
 */
export function compileCode(node: Node): Code {
  const part = (key: string) => compilePart(node, key)
  switch (node.type) {
    case 'Value': {
      const {value = null} = node
      return () => value
    }
    case 'Parameter': {
      const name = String(node.name)
      return ({evaluation: {params}}) => (Object.hasOwn(params, name) ? (params[name] ?? null) : null)
    }
    case 'This':
      return ({value}) => value
    case 'Parent':
      return parent(Number(node.n))
    case 'Group':
      return part('base')
    case 'AccessAttribute': {
      const name = String(node.name)
      if (node.base === undefined) return ({value}) => attributeOf(value, name)
      return unary(part('base'), (value) => attributeOf(value, name))
    }
    case 'AccessElement': {
      const index = Number(node.index)
      return unary(part('base'), (value) => element(value, index))
    }
    case 'Slice': {
      const [left, right, isInclusive] = [Number(node.left), Number(node.right), node.isInclusive === true]
      return unary(part('base'), (value, {evaluation}) =>
        slice(value, left, right, isInclusive, evaluation.budget),
      )
    }
    case 'ArrayCoerce':
      return unary(part('base'), (value) => (Array.isArray(value) ? value : null))
    case 'Deref':
      return unary(part('base'), (value, {evaluation}) => {
        const id = attributeOf(value, '_ref')
        return typeof id === 'string' ? evaluation.source.dereference(id) : null
      })
    case 'Not':
      return unary(part('base'), (value) => (typeof value === 'boolean' ? !value : null))
    case 'Neg':
      return unary(part('base'), (value) => (typeof value === 'number' ? -value : null))
    case 'Pos':
      return unary(part('base'), (value) => (typeof value === 'number' ? value : null))
    case 'And':
      return logic(part('left'), part('right'), false)
    case 'Or':
      return logic(part('left'), part('right'), true)
    case 'OpCall':
      return binary(part('left'), part('right'), operatorNamed(node.op))
    case 'InRange': {
      const isInclusive = node.isInclusive === true
      return mapped([part('base'), part('left'), part('right')], ([value, left, right], {evaluation}) =>
        isInRange(value, [left, right], isInclusive, evaluation.budget),
      )
    }
    case 'Filter':
      return filter(part('base'), part('expr'))
    case 'Map':
      return map(part('base'), part('expr'))
    case 'FlatMap':
      return flatMap(part('base'), part('expr'))
    case 'Projection':
      return projection(part('base'), part('expr'))
    case 'Object':
      return compileObject(node, compileCode)
    case 'Array':
      return list(node)
    case 'Select':
      return select(node)
    case 'FuncCall':
      return call(node)
    case 'PipeFuncCall':
      if (node.name === 'order') return order(part('base'), children(node, 'args'), compileCode)
      if (node.name === 'score') return score(part('base'), children(node, 'args'), compileCode)
      break
    case 'Lookup':
      if (isLookup(node)) return lookUp(node)
      break
    case 'AllText':
      return ({value, evaluation}) => (isRecord(value) ? textsIn(value, evaluation.budget) : [])
  }
  throw new QueryError(`${node.type} cannot be evaluated here`)
}

/** Compiles the child at a key; null if there is none. */
function compilePart(node: Node, key: string): Code {
  return compileCode(childOrNull(node, key))
}

function parent(levels: number): Code {
  return (scope) => {
    let current: Scope | undefined = scope
    for (let level = 0; level < levels; level += 1) current = current?.parent
    return current === undefined ? null : current.value
  }
}

/** `&&` and `||`. The value `decisive` on either side decides. Both sides are evaluated, as in groq-js. */
function logic(left: Code, right: Code, decisive: boolean): Code {
  return binary(left, right, (a, b) => {
    if (a === decisive || b === decisive) return decisive
    return typeof a === 'boolean' && typeof b === 'boolean' ? !decisive : null
  })
}

function projection(base: Code, expression: Code): Code {
  return (scope) => {
    const value = base(scope)
    return isRecord(value) ? expression(scope.nested(value)) : null
  }
}

function list(node: Node): Code {
  const elements = children(node, 'elements')
  const isSplat = elements.map((item) => item.isSplat === true)
  return mapped(
    elements.map((item) => compilePart(item, 'value')),
    (values, {evaluation: {budget}}) => {
      budget.takeList(values.length)
      const result: unknown[] = []
      for (const [at, value] of values.entries()) {
        if (!isSplat[at]) result.push(value)
        else if (Array.isArray(value)) {
          budget.takeList(value.length)
          for (const item of value) result.push(item)
        }
      }
      return result
    },
  )
}

function select(node: Node): Code {
  const alternatives = children(node, 'alternatives').map((alternative) => ({
    condition: compilePart(alternative, 'condition'),
    value: compilePart(alternative, 'value'),
  }))
  const fallback = compilePart(node, 'fallback')
  return (scope) => {
    scope.evaluation.budget.step(1 + alternatives.length)
    const found = alternatives.find(({condition}) => condition(scope) === true)
    return (found?.value ?? fallback)(scope)
  }
}

/** A lookup of documents: see rewrite.ts. */
function lookUp({plan, slots}: LookupNode): Code {
  return mapped(
    slots.map(({expression}) => compileCode(expression)),
    (values, {evaluation}) =>
      evaluation.source.lookUp(
        plan,
        slots.map((slot, at) => keysOf(slot, values[at])),
      ),
  )
}

function call(node: Node): Code {
  const name = `${String(node.namespace)}::${String(node.name)}`
  const args = children(node, 'args')
  return (functions.get(name) ?? notImplemented)(args.map(compileCode))
}
