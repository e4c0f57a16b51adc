import {useMemo, useState} from 'react'
import type {SanityClient} from 'sanity'
import type {StoredDocument} from '../../schemas/documents.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {useContent} from '../live/useContent.ts'
import {isLake} from '../running.ts'
import {type Activity, fetchActivity, fetchDeleted, fetchNamed} from './activity.ts'
import {namesOf, revisionsOf} from './names.ts'

const NONE: readonly StoredDocument[] = []

/**
 * The latest changes, with the documents that they deleted; undefined if the content is not in a lake. They are fetched again
 * when one of the documents is published, created or deleted.
 * @param references only this document and those that reference it
 */
export function useActivity(
  references: string | undefined,
  limit: number,
  documents: readonly StoredDocument[],
) {
  const client = useContent()
  const [pages, setPages] = useState(1)
  const revisions = revisionsOf(documents)
  const answer = useAnswer(
    useMemo(() => {
      void revisions
      return async (signal: AbortSignal) => {
        if (!isLake) return undefined
        const activity = await fetchPages(client, references, limit, pages, signal)
        // Of all sites, not all documents are loaded.
        const named = references === undefined ? await fetchNamed(client, activity.changes, signal) : NONE
        return {activity, named, deleted: await fetchDeleted(client, activity.changes, signal)}
      }
    }, [client, references, limit, pages, revisions]),
    {subject: references ?? 'all sites'},
  )
  const {deleted = NONE, named = NONE} = (answer.state === 'answered' && answer.value) || {}
  return {
    answer,
    deleted,
    /** The names of documents by their ids. */
    names: useMemo(
      () => new Map([deleted, named, documents].flatMap((list) => [...namesOf(list)])),
      [deleted, named, documents],
    ),
    loadMore: () => setPages((count) => count + 1),
  }
}

async function fetchPages(
  client: SanityClient,
  references: string | undefined,
  limit: number,
  pages: number,
  signal: AbortSignal,
): Promise<Activity> {
  const fetchPage = (cursor: string) => fetchActivity(client, {references, limit, cursor}, signal)
  let all = await fetchPage('')
  for (let page = 1; page < pages && all.nextCursor !== ''; page += 1) {
    const next = await fetchPage(all.nextCursor)
    all = {...next, changes: [...all.changes, ...next.changes]}
  }
  return all
}
