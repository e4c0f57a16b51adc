import type {Parsed} from './parsed.ts'

/** A document breaks the rule of one of its fields. The message is for the editor. */
export class BrokenRule extends Error {
  readonly field: string

  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
  }
}

/** @throws BrokenRule if the value was refused */
export function checked<T>(field: string, parsed: Parsed<T>): T {
  if (!parsed.ok) throw new BrokenRule(field, parsed.problem)
  return parsed.value
}

/** What a function reads, or the rule that is broken. @throws any other error */
export function orBrokenRule<T>(read: () => T): T | BrokenRule {
  try {
    return read()
  } catch (error) {
    return brokenRuleIn(error)
  }
}

/** @throws any other error */
export function brokenRuleIn(error: unknown): BrokenRule {
  if (error instanceof BrokenRule) return error
  throw error
}
