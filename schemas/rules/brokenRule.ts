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
