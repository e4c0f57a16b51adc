import {inspect, isDeepStrictEqual} from 'node:util'

/** How long a test waits for what takes a moment, in seconds. A busy machine needs many times as long as a quiet one. */
export const PATIENCE = 30

/**
 * Repeats `ask` until it returns what is expected, and returns that.
 * @param expected a value, an expression that matches a text, or a function that accepts what was returned
 * @param seconds more, if a program starts. A bound that is a promise of the product is not kept on a busy machine
 */
export function eventually<T>(
  ask: () => T | Promise<T>,
  expected: (answer: T) => boolean,
  seconds?: number,
): Promise<T>
export function eventually(
  ask: () => string | Promise<string>,
  expected: RegExp,
  seconds?: number,
): Promise<string>
export function eventually<T>(ask: () => T | Promise<T>, expected: NoInfer<T>, seconds?: number): Promise<T>
export async function eventually(
  ask: () => unknown,
  expected: unknown,
  seconds = PATIENCE,
): Promise<unknown> {
  const isExpected = (answer: unknown): boolean => {
    if (typeof expected === 'function') return expected(answer)
    if (expected instanceof RegExp) return expected.test(String(answer))
    return isDeepStrictEqual(answer, expected)
  }
  const deadline = Date.now() + seconds * 1_000
  // Pauses grow, so that a long wait for a config does not reach the rate limit.
  for (let pause = 25; ; pause = Math.min(100, pause * 1.1)) {
    const answer = await ask()
    if (isExpected(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(
        `not ${typeof expected === 'function' ? 'so' : inspect(expected)} within ${seconds} seconds; the last response: ${JSON.stringify(answer)}`,
      )
    await new Promise((resolve) => setTimeout(resolve, pause)) // see `pause`
  }
}
