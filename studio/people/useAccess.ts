import {useCallback, useEffect, useMemo, useState} from 'react'
import {useClient} from 'sanity'
import {isRecord} from '../../schemas/rules/json.ts'
import {API_VERSION} from '../live/apiVersion.ts'

type Loaded<T> = {state: 'waiting'} | {state: 'ready'; value: T} | {state: 'failed'; problem: string}

/**
 * Loads something from the lake's routes for people and rights. What was loaded stays until the next result.
 * @param path below `/access`; undefined loads nothing
 */
export function useAccess<T>(path: string | undefined, parse: (value: unknown) => T) {
  const client = useClient({apiVersion: API_VERSION})
  const [loaded, setLoaded] = useState<Loaded<T>>({state: 'waiting'})
  const [round, setRound] = useState(0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: a new round is the reason to load again.
  useEffect(() => {
    if (path === undefined) return undefined
    const stop = new AbortController()
    client.request({url: `/access${path}`, signal: stop.signal, tag: 'handrail.people'}).then(
      (value: unknown) => setLoaded({state: 'ready', value: parse(value)}),
      (error: unknown) => {
        if (!stop.signal.aborted) setLoaded({state: 'failed', problem: problemOf(error)})
      },
    )
    return () => stop.abort()
  }, [client, path, parse, round])
  return {loaded, reload: useCallback(() => setRound((count) => count + 1), [])}
}

export type Send = (method: 'POST' | 'PUT' | 'DELETE', path: string, body?: unknown) => Promise<unknown>

/** A function that changes people, rights, sessions or tokens. It throws an Error with a message for people. */
export function useAccessSend(): Send {
  const client = useClient({apiVersion: API_VERSION})
  return useMemo(
    () => async (method, path, body) => {
      try {
        const answer: unknown = await client.request({
          method,
          url: `/access${path}`,
          ...(body !== undefined && {body}),
          tag: 'handrail.people',
        })
        return answer
      } catch (error) {
        throw new Error(problemOf(error))
      }
    },
    [client],
  )
}

/** The lake's own message, without the name of the status that the client puts before it. */
function problemOf(error: unknown): string {
  const response = isRecord(error) ? error.response : undefined
  const body = isRecord(response) ? response.body : undefined
  if (isRecord(body) && typeof body.message === 'string') return body.message
  return error instanceof Error ? error.message : String(error)
}
