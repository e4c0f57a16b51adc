import {Stack} from '@sanity/ui'
import {useMemo} from 'react'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {NotLoaded} from '../live/notLoaded.tsx'
import {useCheckedSite} from '../live/useCheckedSite.ts'
import {Muted, Note} from '../parts/note.tsx'
import {useReviewedTests} from '../tests/useTestReports.ts'
import {ReviewCard} from './card.tsx'
import {type Review, reviewsIn, reviewsOfSite} from './review.ts'

/** The changes of a site that wait for a review. */
export function ReviewPane({siteId}: {siteId: string}) {
  const live = useLiveDocuments(useMemo(() => reviewsOfSite(siteId), [siteId]))
  if (live.state !== 'ready') return <NotLoaded of={live} />
  const reviews = reviewsIn(live.documents)
  return (
    <div data-testid="review-pane">
      {reviews.length === 0 ? (
        <Note>
          Nothing waits for a review. Where the settings of the site ask for one, “Request review” stands in
          place of “Publish” in the forms.
        </Note>
      ) : (
        <Reviews reviews={reviews} siteId={siteId} />
      )}
    </div>
  )
}

function Reviews({reviews, siteId}: {reviews: readonly Review[]; siteId: string}) {
  const site = useCheckedSite(siteId)
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
  const documents = useMemo(() => {
    if (site.state !== 'ready' || reviewed.state !== 'ready') return []
    const all = [...site.documents, ...reviewed.documents]
    return [...new Map(all.map((document) => [document._id, document])).values()]
  }, [site, reviewed])
  if (site.state !== 'ready') return <NotLoaded of={site} />
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
