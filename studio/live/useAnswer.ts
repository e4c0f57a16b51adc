import {useCallback, useEffect, useState} from 'react'
import {errorWords} from '../saving/errorWords.ts'
import type {Answer} from './answer.ts'

type AskOptions<T> = {
  /**
   * What is asked about. An answer is never that of another subject; one of an earlier `ask` about the same subject stays
   * until the next. By default, `ask` itself.
   */
  subject?: unknown
  /** Milliseconds after an answer until it is asked again, at once when somebody returns to Studio. */
  again?: (answer: Answer<T>) => number | undefined
  /** Whether it is asked again also while Studio is not visible. */
  asksHidden?: boolean
}

/**
 * Calls `ask` whenever it changes, and aborts the previous request: memoize it. If undefined, sends no request.
 * @returns the answer, with a function that asks again
 */
export function useAnswer<T>(
  ask: ((signal: AbortSignal) => Promise<T>) | undefined,
  {subject = ask, again, asksHidden = false}: AskOptions<T> = {},
): Answer<T> & {readonly reload: () => void} {
  const [round, setRound] = useState(0)
  const [last, setLast] = useState<{subject: unknown; answer: Answer<T>}>()
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is the reason to ask again.
  useEffect(() => {
    if (ask === undefined) return undefined
    const asking = new AbortController()
    const finish = (answer: Answer<T>) => {
      if (!asking.signal.aborted) setLast({subject, answer})
    }
    ask(asking.signal).then(
      (value) => finish({state: 'answered', value}),
      (error: unknown) => finish({state: 'failed', problem: errorWords(error)}),
    )
    return () => asking.abort()
  }, [ask, subject, round])
  const reload = useCallback(() => setRound((count) => count + 1), [])
  const isKnown = last !== undefined && last.subject === subject
  const pause = isKnown ? again?.(last.answer) : undefined
  // biome-ignore lint/correctness/useExhaustiveDependencies: the pause begins with each answer.
  useEffect(() => {
    if (pause === undefined) return undefined
    const timer = setInterval(() => {
      if (document.hidden && !asksHidden) return
      // The next pause begins with the answer, which may take longer than it.
      clearInterval(timer)
      reload()
    }, pause)
    window.addEventListener('focus', reload)
    return () => {
      clearInterval(timer)
      window.removeEventListener('focus', reload)
    }
  }, [last, pause, asksHidden, reload])
  return {...(isKnown ? last.answer : {state: 'waiting'}), reload}
}
