import {useMemo} from 'react'
import type {SanityDocument} from 'sanity'
import {parseDocuments} from '../../schemas/diagnosis/documents.ts'
import {needsReview, reviewedSiteOf} from '../../schemas/review.ts'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {type Review, reviewOfDocument, reviewsIn} from './review.ts'

/** Whether publishing a draft needs a review, and the request for one. Undefined: not known yet. */
export function useReview(
  id: string,
  published: SanityDocument | null,
  draft: SanityDocument | null,
): {readonly isNeeded: boolean; readonly review: Review | undefined} | undefined {
  const [before] = parseDocuments([published])
  const [after] = parseDocuments([draft])
  const sites = [before, after].flatMap((document) => (document && reviewedSiteOf(document)) ?? [])
  const siteIds = [...new Set(sites)].sort().join(' ')
  const selection = useMemo(() => reviewOfDocument(id, siteIds.split(' ')), [id, siteIds])
  const live = useLiveDocuments(selection)
  if (live.state !== 'ready') return undefined
  const [review] = reviewsIn(live.documents)
  const siteBefore = (siteId: string) => live.documents.find(({_id}) => _id === siteId)
  return {isNeeded: needsReview({before, after}, siteBefore), review}
}
