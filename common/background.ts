import {type BackoffLimits, backoffDelay, wait} from './backoff.ts'

type BackgroundOptions = {
  /** Called with each failure. */
  readonly onFailure: (error: unknown) => void
  /** Tries again after a failure, until the signal. Default: the next occasion starts the work again. */
  readonly retry?: BackoffLimits & {readonly signal: AbortSignal; readonly pause?: typeof wait}
}

/**
 * Runs work that nothing waits for, such as that of a timer: Node ends a process for an unhandled rejection.
 * @returns a promise for those who close: it resolves once the work has ended, and never rejects
 */
export async function inBackground(
  work: () => unknown,
  {onFailure, retry}: BackgroundOptions,
): Promise<void> {
  for (let failures = 1; ; failures += 1) {
    try {
      await work()
      return
    } catch (error) {
      onFailure(error)
    }
    if (retry === undefined) return
    const {pause = wait, signal} = retry
    await pause(backoffDelay(failures, retry), signal)
    if (signal.aborted) return
  }
}
