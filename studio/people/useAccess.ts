import {useMemo} from 'react'
import {isRecord} from '../../schemas/rules/json.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'

/**
 * Loads something from the lake's routes for people and rights. What was loaded stays until the next result.
 * @param path below `/access`; undefined loads nothing
 */
export function useAccess<T>(path: string | undefined) {
  const client = useContent()
  const ask = useMemo(() => {
    if (path === undefined) return undefined
    const request = {url: `/access${path}`, tag: 'handrail.people'}
    return (signal: AbortSignal) => client.request<T>({...request, signal}).catch(failWithWords)
  }, [client, path])
  return useAnswer(ask, {subject: 'access'})
}

export type Send = <T>(method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<T>

/** A function that changes people, rights, sessions or tokens. It throws an Error with a message for people. */
export function useAccessSend(): Send {
  const client = useContent()
  return useMemo(
    () =>
      <T>(method: string, path: string, body?: unknown) =>
        client.request<T>({method, url: `/access${path}`, body, tag: 'handrail.people'}).catch(failWithWords),
    [client],
  )
}

/** With the lake's own message, without the name of the status that the client puts before it. */
function failWithWords(error: unknown): never {
  const response = isRecord(error) ? error.response : undefined
  const body = isRecord(response) ? response.body : undefined
  throw isRecord(body) && typeof body.message === 'string' ? new Error(body.message) : error
}
