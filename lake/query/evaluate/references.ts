import type {Budget} from '../budget.ts'
import {isRecord} from './values.ts'

/** GROQ's `references()`: whether a value contains a reference to one of the ids, at any depth. */
export function refersTo(value: unknown, args: readonly unknown[], budget: Budget): boolean {
  const ids = new Set<string>()
  for (const arg of args) {
    for (const id of Array.isArray(arg) ? arg : [arg]) {
      if (typeof id !== 'string') continue
      budget.take(40)
      budget.step(1)
      ids.add(id)
    }
  }
  return ids.size > 0 && contains(value, ids, budget)
}

function contains(value: unknown, ids: ReadonlySet<string>, budget: Budget): boolean {
  budget.step(1)
  if (Array.isArray(value)) return value.some((item) => contains(item, ids, budget))
  if (!isRecord(value)) return false
  if (value._ref) return typeof value._ref === 'string' && ids.has(value._ref)
  for (const name in value) if (contains(value[name], ids, budget)) return true
  return false
}

/** Every string in a value. */
export function textsIn(value: unknown, budget: Budget, into: string[] = []): string[] {
  budget.step(1)
  if (typeof value === 'string') {
    budget.takeList(1)
    into.push(value)
  } else if (Array.isArray(value)) for (const item of value) textsIn(item, budget, into)
  else if (isRecord(value)) for (const name in value) textsIn(value[name], budget, into)
  return into
}
