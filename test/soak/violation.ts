/** A failed check. */
export class Violation extends Error {}

/** @throws Violation */
export function hold(condition: boolean, message: string): asserts condition {
  if (!condition) throw new Violation(message)
}
