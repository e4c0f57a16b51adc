import {useEffect, useState} from 'react'

/** What is known of an answer that may take a while. */
export type Answer<T> =
  | {state: 'waiting'}
  | {state: 'answered'; value: T}
  /** Why there is none, in words for an editor. */
  | {state: 'failed'; problem: string}

/** Asks when `ask` changes, and gives up on the question before: memoize it. Undefined asks nothing. */
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
