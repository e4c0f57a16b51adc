import {useMemo} from 'react'
import {fetchServed} from '../../install/service.ts'
import type {Answer} from '../../live/answer.ts'
import {useAnswer} from '../../live/useAnswer.ts'

/** Milliseconds until a request: an editor may still be typing. */
const PAUSE = 300

/** Milliseconds until the next request while the service returns something else than expected. */
const RETRY = 3_000

/**
 * The names of the tools and form tools that the service returns for a page, asked for again until they are the expected
 * ones.
 * @param publicId undefined: sends no request
 * @param expected names, sorted and joined with spaces
 */
export function useServed(publicId: string | undefined, path: string, expected: string): Answer<string[]> {
  // What is expected changes after a publish.
  const subject = `${publicId} ${path} ${expected}`
  const ask = useMemo(() => {
    void subject
    if (publicId === undefined) return undefined
    return async (signal: AbortSignal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      signal.throwIfAborted()
      return fetchServed(publicId, path, signal)
    }
  }, [publicId, path, subject])
  const isExpected = (answer: Answer<string[]>) =>
    answer.state === 'answered' && answer.value.join(' ') === expected
  return useAnswer(ask, {again: (answer) => (isExpected(answer) ? undefined : RETRY)})
}
