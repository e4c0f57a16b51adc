import type {Budget} from '../budget.ts'
import {QueryError} from '../errors.ts'
import {DateTime} from '../scalars.ts'
import type {Scope} from './code.ts'
import {PathPattern} from './pathPattern.ts'
import {matches} from './textMatch.ts'
import {compare, finite, isEqual, isRecord} from './values.ts'

type Operator = (left: unknown, right: unknown, scope: Scope) => unknown

/** GROQ's binary operators: https://spec.groq.dev/GROQ-1.revision1/#sec-Operators */
const operators: ReadonlyMap<unknown, Operator> = new Map<unknown, Operator>([
  ['==', (left, right, {evaluation}) => isEqual(left, right, evaluation.budget)],
  ['!=', (left, right, {evaluation}) => !isEqual(left, right, evaluation.budget)],
  ['>', comparison((order) => order > 0)],
  ['>=', comparison((order) => order >= 0)],
  ['<', comparison((order) => order < 0)],
  ['<=', comparison((order) => order <= 0)],
  ['in', (left, right, {evaluation}) => isIn(left, right, evaluation.budget)],
  ['match', (left, right, {evaluation: {patterns, budget}}) => matches(left, right, patterns, budget)],
  ['+', (left, right, {evaluation}) => add(left, right, evaluation.budget)],
  ['-', subtract],
  ['*', arithmetic((left, right) => left * right)],
  ['/', arithmetic((left, right) => left / right)],
  ['%', arithmetic((left, right) => left % right)],
  ['**', arithmetic((left, right) => left ** right)],
])

function comparison(decide: (order: number) => boolean): Operator {
  return (left, right, {evaluation}) => {
    const order = compare(left, right, evaluation.budget)
    return order === null ? null : decide(order)
  }
}

function arithmetic(compute: (left: number, right: number) => number): Operator {
  return (left, right) =>
    typeof left === 'number' && typeof right === 'number' ? finite(compute(left, right)) : null
}

function isIn(left: unknown, right: unknown, budget: Budget): boolean | null {
  if (right instanceof PathPattern) return typeof left === 'string' ? right.matches(left, budget) : null
  if (!Array.isArray(right)) return null
  budget.step(right.length >> 2)
  return right.some((item) => isEqual(left, item ?? null, budget))
}

function add(left: unknown, right: unknown, budget: Budget): unknown {
  if (typeof left === 'number' && typeof right === 'number') return finite(left + right)
  if (typeof left === 'string' && typeof right === 'string') {
    budget.takeText(left.length + right.length)
    return left + right
  }
  if (Array.isArray(left) && Array.isArray(right)) {
    budget.takeList(left.length + right.length)
    return left.concat(right)
  }
  if (left instanceof DateTime && typeof right === 'number') return left.plus(right)
  if (typeof left === 'number' && right instanceof DateTime) return right.plus(left)
  if (!isRecord(left) || !isRecord(right)) return null
  takeObject(left, budget)
  takeObject(right, budget)
  return {...left, ...right}
}

function subtract(left: unknown, right: unknown): unknown {
  if (typeof left === 'number' && typeof right === 'number') return finite(left - right)
  if (!(left instanceof DateTime)) return null
  if (typeof right === 'number') return left.plus(-right)
  return right instanceof DateTime ? finite((left.milliseconds - right.milliseconds) / 1_000) : null
}

/** Estimated bytes of an object, and of each of its attributes. */
const OBJECT_BYTES = 64
const ATTRIBUTE_BYTES = 32

/** Reports a copy of an object about to be made. */
export function takeObject(value: object, budget: Budget): void {
  takeAttributes(Object.keys(value).length, budget)
}

/** Reports an object of so many attributes about to be made. */
export function takeAttributes(count: number, budget: Budget): void {
  budget.take(OBJECT_BYTES + ATTRIBUTE_BYTES * count)
  budget.step(count >> 2)
}

/** `base[left..right]`. */
export function slice(
  list: unknown,
  left: number,
  right: number,
  isInclusive: boolean,
  budget: Budget,
): unknown {
  if (!Array.isArray(list)) return null
  const fromStart = (index: number) => (index < 0 ? list.length + index : index)
  const end = fromStart(right) + (isInclusive ? 1 : 0)
  const start = Math.max(fromStart(left), 0)
  budget.takeList(Math.max(0, Math.min(end, list.length) - start))
  return list.slice(start, Math.max(end, 0))
}

/** `base[index]`. */
export function element(list: unknown, index: number): unknown {
  if (!Array.isArray(list)) return null
  return list[index < 0 ? list.length + index : index] ?? null
}

/** `base in left..right`. */
export function isInRange(
  value: unknown,
  [left, right]: readonly [unknown, unknown],
  isInclusive: boolean,
  budget: Budget,
): boolean | null {
  const fromLeft = compare(value, left, budget)
  const fromRight = compare(value, right, budget)
  if (fromLeft === null || fromRight === null) return null
  return fromLeft >= 0 && (isInclusive ? fromRight <= 0 : fromRight < 0)
}

/** The operator of a node. @throws QueryError for one that does not exist */
export function operatorNamed(name: unknown): Operator {
  const operator = operators.get(name)
  if (operator === undefined) throw new QueryError(`Unknown operator: ${String(name)}`)
  return operator
}
