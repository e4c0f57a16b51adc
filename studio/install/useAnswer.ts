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
 */
export function useAnswer<T>(ask: ((signal: AbortSignal) => Promise<T>) | undefined): Answer<T> {
  const [answer, setAnswer] = useState<Answer<T>>({state: 'waiting'})
  useEffect(() => {
    if (ask === undefined) return undefined
    const asking = new AbortController()
    setAnswer({state: 'waiting'})
    ask(asking.signal).then(
      (value) => {
        if (!asking.signal.aborted) setAnswer({state: 'answered', value})
      },
      (error: unknown) => {
        const problem = error instanceof Error ? error.message : String(error)
        if (!asking.signal.aborted) setAnswer({state: 'failed', problem})
      },
    )
    return () => asking.abort()
  }, [ask])
  return answer
}
