import {useMemo} from 'react'
import type {ReleaseActionComponent} from 'sanity'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {useSend} from '../live/useSend.ts'
import {useAddresses} from '../parts/addresses.ts'
import {reviewOfDocument, reviewsIn} from '../review/review.ts'
import {requestReview} from '../review/send.ts'

/** Asks another person to look at a release as a whole, and shows its review. A site may require that. */
export const ReviewRelease: ReleaseActionComponent = ({release, documents}) => {
  const addresses = useAddresses()
  const {isBusy, run} = useSend()
  const live = useLiveDocuments(useMemo(() => reviewOfDocument(release._id, []), [release._id]))
  const open =
    live.state === 'ready' ? reviewsIn(live.documents).find(({isSentBack}) => !isSentBack) : undefined
  const revisions = documents.map(({document}) => document._rev).sort()
  const reviewed = open?.changes.map(({draftRevision}) => draftRevision).sort()
  const [site] = open?.sites ?? []
  if (open !== undefined && site && reviewed?.join() === revisions.join())
    return {
      label: `Show the review (${open.by} has asked)`,
      title: 'It shows all changes of this release, under “Reviews” of the site',
      onHandle: () => location.assign(addresses.site(site, 'reviews')),
    }
  const ask = () =>
    run(
      'A review is requested. Another person publishes the release, under “Reviews” of the site',
      (client) => requestReview(client, {id: release._id, action: 'publish', draftRevision: undefined}, ''),
    )
  return {
    label: open === undefined ? 'Request review' : `Request review again (${open.by} has asked)`,
    disabled: isBusy || documents.length === 0 || release.state !== 'active',
    title:
      documents.length === 0
        ? 'Add documents first'
        : 'Somebody else looks at all changes of this release, and then publishes or schedules it',
    onHandle: () => void ask(),
  }
}
