import {child, children, type Node} from '../ast.ts'
import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'
import {type Code, mapped, type Scope} from './code.ts'
import {isEqual, isRecord, typeOf} from './values.ts'

type Path = readonly (string | number)[]

/**
 * Compiles `diff::changedAny()` and `diff::changedOnly()`:
 * https://www.sanity.io/docs/specifications/groq-functions. The selector says which parts of the two values
 * are compared.
 */
export function compileDiff(node: Node, compile: (node: Node) => Code): Code {
  const [before, after, selector] = children(node, 'args')
  if (before === undefined || after === undefined || selector === undefined)
    throw new QueryError(`${String(node.name)} takes two values and a selector`)
  const select = compileSelector(selector, compile)
  const decide = node.name === 'changedAny' ? changedAny : changedOnly
  return mapped([compile(before), compile(after)], ([left, right], scope) =>
    decide(left, right, select, scope),
  )
}

/** The paths to what a selector selects in a value. */
type Selector = (value: unknown, scope: Scope) => readonly Path[]

function compileSelector(node: Node, compile: (node: Node) => Code): Selector {
  const inner = (key: string) => {
    const found = child(node, key)
    if (found === undefined) throw new QueryError('Invalid selector syntax')
    return found
  }
  switch (node.type) {
    case 'Group':
      return compileSelector(inner('base'), compile)
    case 'Tuple': {
      const members = children(node, 'members').map((member) => compileSelector(member, compile))
      return (value, scope) => members.flatMap((member) => member(value, scope))
    }
    case 'AccessAttribute': {
      const name = String(node.name)
      if (node.base === undefined) return () => [[name]]
      const base = compileSelector(inner('base'), compile)
      return (value, scope) => base(value, scope).map((path) => [...path, name])
    }
    case 'ArrayCoerce':
      return items(compileSelector(inner('base'), compile), () => true)
    case 'Filter': {
      const test = compile(inner('expr'))
      return items(
        compileSelector(inner('base'), compile),
        (item, scope) => test.now(scope.nested([item]).nested(item)) === true,
      )
    }
    case 'SelectorFuncCall':
      return anywhere(compile(inner('arg')))
    case 'SelectorNested': {
      const base = compileSelector(inner('base'), compile)
      const nested = compileSelector(inner('nested'), compile)
      return (value, scope) =>
        base(value, scope).flatMap((path) =>
          nested(at(value, path), scope).map((further) => extended(path, further, scope.evaluation.budget)),
        )
    }
  }
  throw new QueryError('Invalid selector syntax')
}

/** The items of the lists that a selector selects. */
function items(base: Selector, test: (item: unknown, scope: Scope) => boolean): Selector {
  return (value, scope) => {
    const {budget} = scope.evaluation
    return base(value, scope).flatMap((path) => {
      const list = at(value, path)
      if (!Array.isArray(list)) return []
      return list.flatMap((item: unknown, index): Path[] => {
        budget.step(10)
        return test(item, scope) ? [extended(path, [index], budget)] : []
      })
    })
  }
}

/** `anywhere(expression)`: every object inside for which the expression is true. */
function anywhere(test: Code): Selector {
  const search = (value: unknown, scope: Scope, path: Path): Path[] => {
    const {budget} = scope.evaluation
    budget.step(1 + test.steps)
    if (Array.isArray(value))
      return value.flatMap((item, index) =>
        search(item, scope.nested(item, true), extended(path, [index], budget)),
      )
    if (!isRecord(value)) return []
    const own = test.now(scope) === true ? [path] : []
    return Object.entries(value).reduce<Path[]>((found, [name, item]) => {
      for (const inner of search(item, scope.nested(item, true), extended(path, [name], budget)))
        found.push(inner)
      return found
    }, own)
  }
  return (value, scope) => search(value, scope.nested(value, true), [])
}

function extended(path: Path, further: Path, budget: Budget): Path {
  budget.takeList(4 + path.length + further.length)
  return [...path, ...further]
}

function changedAny(before: unknown, after: unknown, select: Selector, scope: Scope): boolean {
  const {budget} = scope.evaluation
  const paths = select(before, scope.nested(before, true))
  if (paths.length !== select(after, scope.nested(after, true)).length) return true
  return paths.some((path) => {
    const lists = path.flatMap((step, index) => (typeof step === 'number' ? [path.slice(0, index)] : []))
    return (
      lists.some((list) => !haveSameLength(at(before, list), at(after, list))) ||
      !isSame(at(before, path), at(after, path), budget)
    )
  })
}

function haveSameLength(a: unknown, b: unknown): boolean {
  return Array.isArray(a) && Array.isArray(b) && a.length === b.length
}

function changedOnly(before: unknown, after: unknown, select: Selector, scope: Scope): boolean {
  const {budget} = scope.evaluation
  const selected = select(before, scope.nested(before, true))
  return changes(before, after, [], budget).every((path) => {
    budget.step(selected.length)
    return selected.some((prefix) => prefix.every((step, index) => path[index] === step))
  })
}

/** The paths at which two values differ. */
function changes(before: unknown, after: unknown, path: Path, budget: Budget): Path[] {
  if (isSame(before, after, budget)) return []
  if (isRecord(before) && isRecord(after)) {
    const names = [...new Set([...Object.keys(before), ...Object.keys(after)])]
    budget.takeList(names.length)
    return names.flatMap((name) =>
      changes(at(before, [name]), at(after, [name]), extended(path, [name], budget), budget),
    )
  }
  if (!haveSameLength(before, after) || !Array.isArray(before)) return [path]
  return before.flatMap((item, index) =>
    changes(item, at(after, [index]), extended(path, [index], budget), budget),
  )
}

function at(value: unknown, path: Path): unknown {
  let current = value
  for (const step of path) {
    if (typeof step === 'number') current = Array.isArray(current) ? current[step] : null
    else current = isRecord(current) && Object.hasOwn(current, step) ? current[step] : null
  }
  return current ?? null
}

function isSame(a: unknown, b: unknown, budget: Budget): boolean {
  budget.step(1)
  if (Array.isArray(a) && Array.isArray(b))
    return a.length === b.length && a.every((item, index) => isSame(item, b[index], budget))
  if (isRecord(a) && isRecord(b)) {
    const names = Object.keys(a)
    return (
      names.length === Object.keys(b).length &&
      names.every((name) => Object.hasOwn(b, name) && isSame(a[name], b[name], budget))
    )
  }
  return typeOf(a) === typeOf(b) && isEqual(a, b, budget)
}
