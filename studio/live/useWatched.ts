import {useMemo} from 'react'
import {useAnswer} from './useAnswer.ts'
import {type Limits, pauseAfter, type Watched, watched} from './watched.ts'

/**
 * Asks whether a page has done something, until it has or the time is over, also while Studio is behind that page.
 * @param ask undefined: no page was opened. It returns undefined if the page has not done it. Memoize it: each one is about
 * another page
 */
export function useWatched<T>(
  ask: ((signal: AbortSignal) => Promise<T | undefined>) | undefined,
  limits: Limits,
): Watched<T> | undefined {
  const startedAt = useMemo(() => {
    void ask
    return Date.now()
  }, [ask])
  const answer = useAnswer(ask, {
    again: (last) => pauseAfter(last, Date.now() - startedAt, limits),
    asksHidden: true,
  })
  return ask && watched(answer, Date.now() - startedAt, limits)
}
