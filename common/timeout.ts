/**
 * Resolves with the result of a promise, or `undefined` if it rejects or does not settle within the timeout.
 */
export async function withTimeout<T>(milliseconds: number, promise: Promise<T>): Promise<T | undefined> {
  if (milliseconds <= 0) {
    promise.catch(() => {})
    return undefined
  }
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(resolve, milliseconds, undefined)
  })
  try {
    return await Promise.race([promise, timeout])
  } catch {
    return undefined
  } finally {
    clearTimeout(timer)
  }
}
