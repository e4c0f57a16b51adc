import {useMemo, useState} from 'react'
import {type ReleaseActionComponent, useClient} from 'sanity'
import {parseDocuments} from '../../schemas/diagnosis/documents.ts'
import {useAnswer} from '../install/useAnswer.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {useSend} from '../live/useSend.ts'
import {useAddresses} from '../parts/addresses.ts'
import {reviewOfDocument, reviewsIn} from '../review/review.ts'
import {requestReview} from '../review/send.ts'

/** Asks another person to look at a release as a whole, and shows its review. A site may require that. */
export const ReviewRelease: ReleaseActionComponent = ({release, documents}) => {
  const client = useClient({apiVersion: API_VERSION})
  const addresses = useAddresses()
  const {isBusy, run} = useSend()
  const [sent, setSent] = useState(0)
  const revisions = documents.map(({document}) => document._rev).sort()
  // Asks again after a request, and when something in the release changes.
  const changes = `${sent} ${release._rev} ${revisions.join(' ')}`
  const found = useAnswer(
    useMemo(() => {
      void changes
      const {filter, params} = reviewOfDocument(release._id, [])
      return async (signal: AbortSignal) => {
        const options = {perspective: 'raw', tag: 'handrail.release-review', signal} as const
        return reviewsIn(parseDocuments(await client.fetch<unknown>(filter, params, options)))
      }
    }, [client, release._id, changes]),
    release._id,
  )
  const open = found.state === 'answered' ? found.value.find(({isSentBack}) => !isSentBack) : undefined
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
      (sender) => requestReview(sender, {id: release._id, action: 'publish', draftRevision: undefined}, ''),
    ).then(() => setSent((count) => count + 1))
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
