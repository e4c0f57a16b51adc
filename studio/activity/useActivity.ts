import {useCallback, useEffect, useState} from 'react'
import {useClient} from 'sanity'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {errorWords} from '../saving/errorWords.ts'
import {type Activity, fetchActivity, fetchDeleted} from './activity.ts'

type LiveActivity =
  | {state: 'waiting'}
  | {state: 'ready'; activity: Activity; deleted: readonly StoredDocument[]}
  /** The content is not in a lake. */
  | {state: 'unknown'}
  | {state: 'failed'; problem: string}

/**
 * The latest changes, fetched again when `revisions` changes.
 * @param references only this document and those that reference it
 * @param revisions of the published documents, and the drafts that exist
 */
export function useActivity(
  references: string | undefined,
  limit: number,
  revisions: string,
): {live: LiveActivity; loadMore: () => void} {
  const client = useClient({apiVersion: API_VERSION})
  const [live, setLive] = useState<LiveActivity>({state: 'waiting'})
  const [pages, setPages] = useState(1)
  // biome-ignore lint/correctness/useExhaustiveDependencies: new revisions are the reason to fetch again.
  useEffect(() => {
    const stop = new AbortController()
    const load = async () => {
      const activity = await fetchPages(
        (cursor) => fetchActivity(client, {references, limit, cursor}, stop.signal),
        pages,
      )
      if (activity === undefined) return setLive({state: 'unknown'})
      const deleted = await fetchDeleted(client, activity.changes, stop.signal)
      if (!stop.signal.aborted) setLive({state: 'ready', activity, deleted})
    }
    load().catch((error: unknown) => {
      if (!stop.signal.aborted) setLive({state: 'failed', problem: errorWords(error)})
    })
    return () => stop.abort()
  }, [client, references, limit, pages, revisions])
  return {live, loadMore: useCallback(() => setPages((count) => count + 1), [])}
}

async function fetchPages(
  fetchPage: (cursor: string) => Promise<Activity | undefined>,
  pages: number,
): Promise<Activity | undefined> {
  let all = await fetchPage('')
  for (let page = 1; page < pages && all !== undefined && all.nextCursor !== ''; page += 1) {
    const next = await fetchPage(all.nextCursor)
    if (next === undefined) break
    all = {...next, changes: [...all.changes, ...next.changes]}
  }
  return all
}
