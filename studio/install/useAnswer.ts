import {useEffect, useState} from 'react'

/** The state of a request. */
export type Answer<T> =
  | {state: 'waiting'}
  | {state: 'answered'; value: T}
  /** Why it failed, in words for an editor. */
  | {state: 'failed'; problem: string}

/**
 * Calls `ask` whenever it changes, and aborts the previous request: memoize it. If undefined, sends no
 * request.
 * @param subject what is asked about. An answer is never that of another subject; one of an earlier `ask` about the same
 * subject stays until the next.
 */
export function useAnswer<T>(
  ask: ((signal: AbortSignal) => Promise<T>) | undefined,
  subject: unknown = ask,
): Answer<T> {
  const [last, setLast] = useState<{subject: unknown; answer: Answer<T>}>()
  useEffect(() => {
    if (ask === undefined) return undefined
    const asking = new AbortController()
    const finish = (answer: Answer<T>) => {
      if (!asking.signal.aborted) setLast({subject, answer})
    }
    ask(asking.signal).then(
      (value) => finish({state: 'answered', value}),
      (error: unknown) =>
        finish({state: 'failed', problem: error instanceof Error ? error.message : String(error)}),
    )
    return () => asking.abort()
  }, [ask, subject])
  return last !== undefined && last.subject === subject ? last.answer : {state: 'waiting'}
}
