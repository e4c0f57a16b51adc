import {useEffect, useState} from 'react'
import {fetchServed} from '../../install/service.ts'
import type {Answer} from '../../install/useAnswer.ts'

/** Milliseconds until the first request: an editor may still be typing. */
const PAUSE = 300

/** Milliseconds between two requests while the service returns something else than expected, and how many. */
const RETRY = 3_000
const MAX_RETRIES = 20

/**
 * The names of the tools and form tools that the service returns for a page. If they are not the expected
 * ones, it retries for a minute.
 * @param publicId undefined: sends no request
 * @param expected names, sorted and joined with spaces
 */
export function useServed(
  origin: string,
  publicId: string | undefined,
  path: string,
  expected: string,
): Answer<readonly string[]> {
  const [answer, setAnswer] = useState<Answer<readonly string[]>>({state: 'waiting'})
  useEffect(() => {
    if (publicId === undefined) return undefined
    const stop = new AbortController()
    let retries = 0
    const ask = async () => {
      const next = await fetchNames(origin, publicId, path, stop.signal)
      if (stop.signal.aborted) return
      setAnswer(next)
      const isExpected = next.state === 'answered' && next.value.join(' ') === expected
      if (isExpected || retries === MAX_RETRIES) return
      retries += 1
      timer = setTimeout(ask, RETRY)
    }
    setAnswer({state: 'waiting'})
    let timer = setTimeout(ask, PAUSE)
    return () => {
      stop.abort()
      clearTimeout(timer)
    }
  }, [origin, publicId, path, expected])
  return answer
}

async function fetchNames(
  origin: string,
  publicId: string,
  path: string,
  signal: AbortSignal,
): Promise<Answer<readonly string[]>> {
  try {
    const {tools, formTools} = await fetchServed(origin, publicId, path, signal)
    return {state: 'answered', value: [...tools, ...formTools].sort()}
  } catch (error) {
    return {state: 'failed', problem: error instanceof Error ? error.message : String(error)}
  }
}
