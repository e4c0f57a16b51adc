import {useEffect, useState} from 'react'
import {useClient} from 'sanity'
import {parseDocuments, type StoredDocument} from '../../schemas/diagnosis/documents.ts'
import type {Selection} from '../../schemas/diagnosis/selection.ts'
import {API_VERSION} from './apiVersion.ts'

/** Documents that follow every change. */
export type LiveDocuments =
  | {state: 'waiting'}
  | {state: 'ready'; documents: readonly StoredDocument[]}
  | {state: 'failed'; problem: string}

/** Milliseconds in which changes are collected: an editor types faster than a page needs to follow. */
const PAUSE = 200

/** Milliseconds until a failed query is sent again. */
const RETRY = 5_000

/**
 * The documents of a selection, updated when one of them changes. Memoize the selection. Undefined: sends no
 * request.
 */
export function useLiveDocuments(selection: Selection | undefined): LiveDocuments {
  const client = useClient({apiVersion: API_VERSION})
  const [live, setLive] = useState<LiveDocuments>({state: 'waiting'})
  useEffect(() => {
    if (selection === undefined) return undefined
    const {query, filter, params} = selection
    setLive({state: 'waiting'})
    const stop = new AbortController()
    let known: Map<string, StoredDocument> | undefined
    let timer: ReturnType<typeof setTimeout> | undefined
    const show = () => {
      if (known !== undefined) setLive({state: 'ready', documents: [...known.values()]})
    }
    const load = () => {
      known = undefined
      clearTimeout(timer)
      client
        .fetch<unknown>(query, params, {perspective: 'raw', tag: 'handrail.overview', signal: stop.signal})
        .then(
          (result) => {
            known = new Map(parseDocuments(result).map((document) => [document._id, document]))
            show()
          },
          (error: unknown) => {
            if (stop.signal.aborted) return
            setLive({state: 'failed', problem: error instanceof Error ? error.message : String(error)})
            timer = setTimeout(load, RETRY)
          },
        )
    }
    const events = client
      .listen(filter, params, {
        events: ['welcome', 'mutation', 'reconnect'],
        includeMutations: false,
        visibility: 'query',
        tag: 'handrail.overview',
      })
      .subscribe({
        next: (event) => {
          // What changed before a connection was established is only found by the query.
          if (event.type === 'welcome') load()
          if (event.type !== 'mutation') return
          // The result of a query in flight may be older than this event.
          if (known === undefined) return load()
          const [document] = parseDocuments([event.result])
          if (document === undefined) known.delete(event.documentId)
          else known.set(document._id, document)
          clearTimeout(timer)
          timer = setTimeout(show, PAUSE)
        },
        error: (error: unknown) =>
          setLive({state: 'failed', problem: error instanceof Error ? error.message : String(error)}),
      })
    return () => {
      stop.abort()
      clearTimeout(timer)
      events.unsubscribe()
    }
  }, [client, selection])
  return live
}
