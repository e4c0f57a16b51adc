import {useEffect, useState} from 'react'
import {type ReleaseActionComponent, useClient} from 'sanity'
import {isRecord} from '../../schemas/rules/json.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {useSend} from '../live/useSend.ts'
import {useAddresses} from '../parts/addresses.ts'
import {requestReview} from '../review/send.ts'

const TAG = 'handrail.release-review'

/** The open request for the review of a release: who asked, the site that lists it, and the revisions that it is for. */
const REVIEW = `*[_type == "handrail.review" && document == $id && state == "open"][0]{
  "by": by.name, site, "revisions": array::join(changes[].draftRevision, " ")
}`

/** Asks another person to look at a release as a whole, and shows its review. A site may require that. */
export const ReviewRelease: ReleaseActionComponent = ({release, documents}) => {
  const client = useClient({apiVersion: API_VERSION})
  const addresses = useAddresses()
  const {isBusy, run} = useSend()
  const [request, setRequest] = useState<Record<string, unknown>>({})
  const [sent, setSent] = useState(0)
  const revisions = documents.map(({document}) => document._rev)
  // Runs again after a request, and when something in the release changes.
  const changes = `${sent} ${release._rev} ${revisions.join(' ')}`
  useEffect(() => {
    const stop = new AbortController()
    void changes
    client
      .fetch<unknown>(REVIEW, {id: release._id}, {perspective: 'raw', tag: TAG, signal: stop.signal})
      .then((found) => setRequest(isRecord(found) ? found : {}))
      .catch(() => setRequest({}))
    return () => stop.abort()
  }, [client, release._id, changes])
  const [by, site] = [textOf(request.by), textOf(request.site)]
  const isCurrent = textOf(request.revisions).split(' ').sort().join() === revisions.sort().join()
  if (by !== '' && site !== '' && isCurrent)
    return {
      label: `Show the review (${by} has asked)`,
      title: 'It shows all changes of this release, under “Reviews” of the site',
      onHandle: () => location.assign(addresses.site(site, 'reviews')),
    }
  const ask = () =>
    run(
      'A review is requested. Another person publishes the release, under “Reviews” of the site',
      (sender) => requestReview(sender, {id: release._id, action: 'publish', draftRevision: undefined}, ''),
    ).then(() => setSent((count) => count + 1))
  return {
    label: by === '' ? 'Request review' : `Request review again (${by} has asked)`,
    disabled: isBusy || documents.length === 0 || release.state !== 'active',
    title:
      documents.length === 0
        ? 'Add documents first'
        : 'Somebody else looks at all changes of this release, and then publishes or schedules it',
    onHandle: () => void ask(),
  }
}
