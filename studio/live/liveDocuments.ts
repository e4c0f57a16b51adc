import type {SanityClient} from '@sanity/client'
import {useEffect, useState} from 'react'
import type {Selection} from '../../advice/diagnosis/selection.ts'
import {parseDocuments, type StoredDocument} from '../../schemas/documents.ts'
import {errorWords} from '../saving/errorWords.ts'
import {useContent} from './useContent.ts'

/**
 * The documents of a selection, updated when one of them changes. Memoize the selection. Undefined: sends no
 * request.
 */
export function useLiveDocuments(selection: Selection | undefined): LiveDocuments {
  const client = useContent()
  const [live, setLive] = useState<LiveDocuments>({state: 'waiting'})
  useEffect(() => {
    if (selection === undefined) return undefined
    setLive({state: 'waiting'})
    return followDocuments(client, selection, setLive)
  }, [client, selection])
  return live
}

/** Documents that follow every change. */
export type LiveDocuments =
  | {state: 'waiting'}
  | {state: 'ready'; documents: readonly StoredDocument[]}
  | {state: 'failed'; problem: string}

/** Milliseconds in which changes are collected: an editor types faster than a page needs to follow. */
const PAUSE = 200

/** The same for a query that is sent again. */
const COUNTING_PAUSE = 1_000

/** Milliseconds until a failed query is sent again, or changes are followed again. */
const RETRY = 10_000

/**
 * Follows the documents of a selection.
 * @param tell gets them after each change
 * @returns a function that ends it
 */
export function followDocuments(
  client: SanityClient,
  {filter, query = filter, params, counts = false}: Selection,
  tell: (live: LiveDocuments) => void,
  retryAfter = RETRY,
  countAfter = COUNTING_PAUSE,
): () => void {
  const stop = new AbortController()
  let known: Map<string, StoredDocument> | undefined
  let timer: ReturnType<typeof setTimeout> | undefined
  const wait = (run: () => void, milliseconds: number) => {
    clearTimeout(timer)
    timer = setTimeout(run, milliseconds)
  }
  const show = () => {
    if (known !== undefined) tell({state: 'ready', documents: [...known.values()]})
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
          tell({state: 'failed', problem: errorWords(error)})
          wait(load, retryAfter)
        },
      )
  }
  const listen = () =>
    client
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
          if (counts) return wait(load, countAfter)
          const [document] = parseDocuments([event.result])
          if (document === undefined) known.delete(event.documentId)
          else known.set(document._id, document)
          wait(show, PAUSE)
        },
        // The client connects again after a broken connection, but not after one that was refused.
        error: () => {
          tell({state: 'failed', problem: 'Studio cannot follow changes at the moment. It tries again.'})
          wait(() => {
            events = listen()
          }, retryAfter)
        },
      })
  let events = listen()
  return () => {
    stop.abort()
    clearTimeout(timer)
    events.unsubscribe()
  }
}
