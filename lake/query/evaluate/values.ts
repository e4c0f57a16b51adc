import {isJsonObject, type JsonObject} from '../../../common/json.ts'
import type {Budget} from '../budget.ts'
import {DateTime} from '../scalars.ts'
import {PathPattern} from './pathPattern.ts'

type ValueType = 'null' | 'boolean' | 'number' | 'string' | 'array' | 'object' | 'datetime' | 'path'

/** The GROQ type of a value. Values are JSON, {@link DateTime} or {@link PathPattern}. */
function typeOf(value: unknown): ValueType {
  switch (typeof value) {
    case 'string':
      return 'string'
    case 'number':
      return 'number'
    case 'boolean':
      return 'boolean'
    case 'object':
      if (value === null) return 'null'
      if (Array.isArray(value)) return 'array'
      if (value instanceof DateTime) return 'datetime'
      return value instanceof PathPattern ? 'path' : 'object'
    default:
      return 'null'
  }
}

/** Narrows to a GROQ object. */
export function isRecord(value: unknown): value is JsonObject {
  return isJsonObject(value) && !(value instanceof DateTime) && !(value instanceof PathPattern)
}

/** An attribute of an object, null where there is none. */
export function attributeOf(value: unknown, name: string): unknown {
  return isRecord(value) && Object.hasOwn(value, name) ? (value[name] ?? null) : null
}

/** A number, or null for one that is not finite. */
export function finite(number: number): number | null {
  return Number.isFinite(number) ? number : null
}

/** GROQ's `==`: https://spec.groq.dev/GROQ-1.revision1/#sec-Equality. Lists and objects equal nothing. */
export function isEqual(a: unknown, b: unknown, budget: Budget): boolean {
  if (typeof a === 'string' && typeof b === 'string') {
    if (a.length !== b.length) return false
    budget.step(a.length >> 6)
    return a === b
  }
  if (a instanceof DateTime) return b instanceof DateTime && a.milliseconds === b.milliseconds
  return a === b && (typeof a !== 'object' || a === null)
}

/** Compares two values of one type: negative, 0 or positive; null where they cannot be compared. */
export function compare(a: unknown, b: unknown, budget: Budget): number | null {
  if (typeof a === 'string' && typeof b === 'string') {
    budget.step(Math.min(a.length, b.length) >> 6)
    return a < b ? -1 : a > b ? 1 : 0
  }
  if (typeof a === 'number' && typeof b === 'number') return a - b
  if (typeof a === 'boolean' && typeof b === 'boolean') return Number(a) - Number(b)
  if (a instanceof DateTime && b instanceof DateTime) return a.milliseconds - b.milliseconds
  return null
}

const ORDER: Partial<Record<ValueType, number>> = {datetime: 1, number: 2, string: 3, boolean: 4}

/** Compares any two values, as `order()` does: https://spec.groq.dev/GROQ-1.revision1/#sec-Ordering */
export function compareForOrder(a: unknown, b: unknown, budget: Budget): number {
  budget.step(1)
  if (typeof a === 'string' && typeof b === 'string') return compare(a, b, budget) ?? 0
  const difference = (ORDER[typeOf(a)] ?? 100) - (ORDER[typeOf(b)] ?? 100)
  return difference === 0 ? (compare(a, b, budget) ?? 0) : difference
}
