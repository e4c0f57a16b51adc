import type {Parsed} from './rules/parsed.ts'

/**
 * A rule as Studio asks for it: `true`, or the problem that the editor reads under the field.
 * A field without a value is left to `rule.required()`, so that an optional one can be empty and none is told off twice.
 */
export function keeps(rule: (value: unknown) => Parsed<unknown>): (value: unknown) => true | string {
  return (value) => {
    if (value === undefined || value === null) return true
    const parsed = rule(value)
    return parsed.ok || parsed.problem
  }
}
