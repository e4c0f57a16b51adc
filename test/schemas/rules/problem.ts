import type {Parsed} from '../../../schemas/rules/parsed.ts'

/** The problem that a rule finds, or `undefined` if it accepts. */
export function problemOf(parsed: Parsed<unknown>): string | undefined {
  return parsed.ok ? undefined : parsed.problem
}

/** The value that a rule returns. A refusal fails the test with the rule's problem. */
export function accepted<T>(parsed: Parsed<T>): T {
  if (!parsed.ok) throw new Error(parsed.problem)
  return parsed.value
}
