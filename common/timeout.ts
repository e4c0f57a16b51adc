/**
 * Settles like a promise, or resolves with `undefined` if that takes longer than the timeout.
 * @param onLateFailure receives a failure after the timeout.
 */
export async function beforeTimeout<T>(
  milliseconds: number,
  promise: Promise<T>,
  onLateFailure: (error: unknown) => void = () => {},
): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => {
      promise.catch(onLateFailure)
      resolve(undefined)
    }, milliseconds)
  })
  try {
    return await Promise.race([promise, timeout])
  } finally {
    clearTimeout(timer)
  }
}

/**
 * Resolves with the result of a promise, or `undefined` if it rejects or does not settle within the timeout.
 */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  const settled = promise.catch(() => undefined)
  return milliseconds <= 0 ? undefined : beforeTimeout(milliseconds, settled)
}

/**
 * Calls a function with a signal that aborts after a timeout. Like `AbortSignal.timeout`, but its timer ends with the
 * call, and V8 need not keep what listens to the signal until a full garbage collection.
 * @throws DOMException `TimeoutError` if the function rejects after the timeout, whatever its own error.
 */
export async function withDeadline<T>(
  milliseconds: number,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const deadline = new AbortController()
  const abort = () => deadline.abort(new DOMException(`No result after ${milliseconds} ms.`, 'TimeoutError'))
  const timer = setTimeout(abort, milliseconds)
  try {
    return await work(deadline.signal)
  } catch (error) {
    throw deadline.signal.aborted ? deadline.signal.reason : error
  } finally {
    clearTimeout(timer)
  }
}
