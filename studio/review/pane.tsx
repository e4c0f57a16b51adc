import {Stack} from '@sanity/ui'
import {useMemo} from 'react'
import type {StoredDocument} from '../../schemas/documents.ts'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {Muted, Note} from '../parts/layout.tsx'
import {useReviewedTests} from '../tests/useTestReports.ts'
import {ReviewCard} from './card.tsx'
import type {Review} from './review.ts'

type ReviewPaneProps = {
  siteId: string
  reviews: readonly Review[]
  /** Of the site. */
  documents: readonly StoredDocument[]
}

/** The changes of a site that wait for a review. */
export function ReviewPane(props: ReviewPaneProps) {
  return (
    <div data-testid="review-pane">
      {props.reviews.length === 0 ? (
        <Note>
          Nothing waits for a review. Where the settings of the site ask for one, “Request review” stands in
          place of “Publish” in the forms.
        </Note>
      ) : (
        <Reviews {...props} />
      )}
    </div>
  )
}

function Reviews({reviews, siteId, documents: own}: ReviewPaneProps) {
  const tests = useReviewedTests(siteId)
  // A tool that moves to this site is published on another one.
  const ids = reviews
    .flatMap(({document, changes}) => [document, ...changes.map((change) => change.document)])
    .flatMap((id) => [id, `drafts.${id}`])
    .join(' ')
  const releases = reviews.flatMap(({release}) => release ?? []).join(' ')
  const reviewed = useLiveDocuments(
    useMemo(
      () => ({
        filter: REVIEWED,
        params: {ids: ids.split(' '), releases: releases.split(' ')},
      }),
      [ids, releases],
    ),
  )
  const others = reviewed.state === 'ready' ? reviewed.documents : undefined
  const documents = useMemo(
    () => [...new Map([...own, ...(others ?? [])].map((document) => [document._id, document])).values()],
    [own, others],
  )
  if (reviewed.state !== 'ready') return <NotLoaded of={reviewed} />
  return (
    <Stack gap={5}>
      <Muted>
        Look at each change, try it on the page, and publish it. If a draft changes in the meantime, a new
        review has to be requested.
      </Muted>
      <Stack as="ul" gap={5}>
        {reviews.map((review) => (
          <ReviewCard
            documents={documents}
            key={review.document}
            review={review}
            siteId={siteId}
            tests={tests}
          />
        ))}
      </Stack>
    </Stack>
  )
}

/** The documents that are reviewed, the versions in releases, and all sites, for their names. */
const REVIEWED =
  '*[_id in $ids || _type == "site" || _id in path("versions.**") && string::split(_id, ".")[1] in $releases]'
