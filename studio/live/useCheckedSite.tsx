import {useMemo, useRef} from 'react'
import {documentsOfSite} from '../../advice/diagnosis/selection.ts'
import {type CheckedSite, checkSite} from '../../advice/diagnosis/site.ts'
import {inRelease, type StoredDocument} from '../../schemas/documents.ts'
import {Note} from '../parts/layout.tsx'
import {Waiting} from '../parts/lazily.tsx'
import {useLiveDocuments} from './liveDocuments.ts'

/** A site, checked by the service's rules on every change. */
type LiveSite =
  | {state: 'waiting'}
  | {state: 'ready'; site: CheckedSite; documents: readonly StoredDocument[]}
  | {state: 'failed'; problem: string}

/**
 * Follows a site with all its documents. Undefined: sends no request.
 * @param release the name of a release that is shown in place of drafts
 */
export function useCheckedSite(siteId: string | undefined, release?: string): LiveSite {
  const selection = useMemo(
    () => (siteId === undefined ? undefined : documentsOfSite(siteId, release)),
    [siteId, release],
  )
  const live = useLiveDocuments(selection)
  const before = useRef<{siteId: string; site: CheckedSite}>(undefined)
  return useMemo(() => {
    if (live.state !== 'ready') return live
    if (siteId === undefined) return {state: 'waiting'}
    const documents = inRelease(live.documents, release)
    const earlier = before.current?.siteId === siteId ? before.current.site : undefined
    const site = checkSite(siteId, documents, earlier)
    before.current = {siteId, site}
    return {state: 'ready', site, documents}
  }, [live, siteId, release])
}

/** Stands in place of what is not loaded yet, or cannot be loaded. */
export function NotLoaded({of}: {of: {state: 'waiting'} | {state: 'failed'; problem: string}}) {
  return of.state === 'waiting' ? <Waiting /> : <Note tone="critical">{of.problem}</Note>
}
