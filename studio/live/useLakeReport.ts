import {useMemo} from 'react'
import {useAnswer} from './useAnswer.ts'
import {useContent} from './useContent.ts'

/**
 * Follows a route of the lake while Studio is visible. Undefined until it can be read: a lake that is unreachable shows in
 * other ways, and hosted Sanity has no such routes.
 * @param url undefined: sends no request
 * @param interval milliseconds between two requests
 */
export function useLakeReport<T>(url: string | undefined, interval: number): T | undefined {
  const client = useContent()
  const ask = useMemo(() => {
    if (url === undefined) return undefined
    let told: T | undefined
    return async (signal: AbortSignal) => {
      told = await client.request<T>({url, signal, tag: 'handrail.report'}).catch(() => told)
      return told
    }
  }, [client, url])
  const answer = useAnswer(ask, {again: () => interval})
  return answer.state === 'answered' ? answer.value : undefined
}
