import type {Parsed} from '../../../schemas/rules/parsed.ts'

/** The problem a rule finds, or `undefined` where it accepts. */
export function problemOf(parsed: Parsed<unknown>): string | undefined {
  return parsed.ok ? undefined : parsed.problem
}

/** The value a rule makes; a refusal fails the test with its problem. */
export function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.value
}
