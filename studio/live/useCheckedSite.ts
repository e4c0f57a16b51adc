import {useMemo, useRef} from 'react'
import type {StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {type CheckedSite, checkSite} from '../../schemas/diagnosis/site.ts'
import {type Selection, useLiveDocuments} from './liveDocuments.ts'

/** A site, checked by the service's rules on every change. */
export type LiveSite =
  | {state: 'waiting'}
  | {state: 'ready'; site: CheckedSite; documents: readonly StoredDocument[]}
  | {state: 'failed'; problem: string}

/** Follows a site with all its documents. Undefined: sends no request. */
export function useCheckedSite(siteId: string | undefined): LiveSite {
  const selection = useMemo(() => (siteId === undefined ? undefined : selectionOf(siteId)), [siteId])
  const live = useLiveDocuments(selection)
  const before = useRef<{siteId: string; site: CheckedSite}>(undefined)
  return useMemo(() => {
    if (live.state !== 'ready') return live
    if (siteId === undefined) return {state: 'waiting'}
    const {documents} = live
    const earlier = before.current?.siteId === siteId ? before.current.site : undefined
    const site = checkSite(siteId, documents, earlier)
    before.current = {siteId, site}
    return {state: 'ready', site, documents}
  }, [live, siteId])
}

const TYPES = ['tool', 'formTool']

/**
 * The site, others with its public ID, its tools, and the drafts of tools that would move to another site.
 */
function selectionOf(siteId: string): Selection {
  const ids = [siteId, `drafts.${siteId}`]
  return {
    query: `*[
      _id in $ids
      || _type == "site" && publicId in *[_id in $ids].publicId
      || _type in $types && (site._ref == $siteId || _id in *[_type in $types && site._ref == $siteId]{"id": "drafts." + _id}.id)
    ]`,
    filter: '*[_type == "site" && _id in $ids || _type in $types && site._ref == $siteId]',
    params: {siteId, ids, types: TYPES},
  }
}
