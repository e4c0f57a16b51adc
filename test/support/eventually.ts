/** How long a test waits for what takes a moment, in seconds. A busy machine needs many times as long as a quiet one. */
export const PATIENCE = 30

/** Seconds within which a change is served. Some seconds later, a comparison would find it without a live event or webhook. */
export const SOON = 2

/**
 * Repeats `ask` until `check` accepts what it returns, and returns that.
 * @param seconds only if the time itself is promised
 */
export async function eventually<T>(
  ask: () => Promise<T>,
  check: (answer: T) => boolean,
  seconds = PATIENCE,
): Promise<T> {
  const deadline = Date.now() + seconds * 1_000
  // Pauses grow, so that a long wait for a config does not reach the rate limit.
  for (let pause = 25; ; pause = Math.min(100, pause * 1.1)) {
    const answer = await ask()
    if (check(answer)) return answer
    if (Date.now() > deadline)
      throw new Error(`not within ${seconds} seconds; the last response: ${JSON.stringify(answer)}`)
    await new Promise((resolve) => setTimeout(resolve, pause)) // see `pause`
  }
}
