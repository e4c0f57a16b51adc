import {useMemo} from 'react'
import {isRecord} from '../../schemas/rules/json.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import {useSend} from '../live/useSend.ts'

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

/**
 * Changes something with one click, says whether that worked, and loads the list again.
 * @param reload loads what changed
 */
export function useChange(reload: () => void) {
  const send = useAccessSend()
  const {run, isBusy} = useSend()
  const change = (method: Parameters<Send>[0], path: string, done: string) => {
    void run(done, () => send(method, path)).then(reload)
  }
  return {change, isBusy}
}

/** With the lake's own message, without the name of the status that the client puts before it. */
function failWithWords(error: unknown): never {
  const response = isRecord(error) ? error.response : undefined
  const body = isRecord(response) ? response.body : undefined
  throw isRecord(body) && typeof body.message === 'string' ? new Error(body.message) : error
}
