import type {Parsed} from './rules/parsed.ts'

/**
 * Adapts a rule to Studio: returns `true`, or the problem that the editor reads under the field.
 * Fields without a value are left to `rule.required()`, so that an optional one can be empty and no problem
 * is reported twice.
 */
export function keeps(rule: (value: unknown) => Parsed<unknown>): (value: unknown) => true | string {
  return (value) => {
    if (value === undefined || value === null) return true
    const parsed = rule(value)
    return parsed.ok || parsed.problem
  }
}
