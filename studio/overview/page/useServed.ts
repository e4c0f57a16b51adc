import {useEffect, useMemo, useState} from 'react'
import {fetchServed} from '../../install/service.ts'
import {type Answer, useAnswer} from '../../install/useAnswer.ts'

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
  const [round, setRound] = useState(0)
  const subject = `${publicId} ${path} ${expected}`
  const ask = useMemo(() => {
    // What is expected changes after a publish, and each round asks again.
    void [subject, round]
    if (publicId === undefined) return undefined
    return async (signal: AbortSignal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      signal.throwIfAborted()
      return fetchServed(publicId, path, signal)
    }
  }, [publicId, path, subject, round])
  const answer = useAnswer(ask, subject)
  useEffect(() => {
    if (answer.state === 'waiting' || (answer.state === 'answered' && answer.value.join(' ') === expected))
      return undefined
    const timer = setTimeout(() => setRound((last) => last + 1), RETRY)
    return () => clearTimeout(timer)
  }, [answer, expected])
  return answer
}
