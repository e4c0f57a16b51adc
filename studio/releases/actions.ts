import {useEffect, useState} from 'react'
import {type ReleaseActionComponent, useClient} from 'sanity'
import {textOf} from '../../schemas/rules/text.ts'
import {API_VERSION} from '../live/apiVersion.ts'
import {requestReview} from '../review/send.ts'
import {useSend} from '../review/useSend.ts'

const TAG = 'handrail.release-review'

/** The open request for the review of a release, and whether it is for what the release has now. */
const REVIEW = `*[_type == "handrail.review" && document == $id && state == "open"][0]{"by": by.name, at}`

/** Asks another person to look at a release as a whole. A site may require that. */
export const RequestReview: ReleaseActionComponent = ({release, documents}) => {
  const client = useClient({apiVersion: API_VERSION})
  const {isBusy, run} = useSend()
  const [asked, setAsked] = useState('')
  const [sent, setSent] = useState(0)
  // Runs again after a request, and when something in the release changes.
  const changes = `${sent} ${release._rev} ${documents.map(({document}) => document._rev).join(' ')}`
  useEffect(() => {
    const stop = new AbortController()
    void changes
    client
      .fetch<unknown>(REVIEW, {id: release._id}, {perspective: 'raw', tag: TAG, signal: stop.signal})
      .then((found) => setAsked(textOf(Object(found).by)))
      .catch(() => setAsked(''))
    return () => stop.abort()
  }, [client, release._id, changes])
  const request = () =>
    run('A review is requested. Another person publishes the release', (client) =>
      requestReview(client, {id: release._id, action: 'publish', draftRevision: undefined}, ''),
    ).then(() => setSent((count) => count + 1))
  return {
    label: asked === '' ? 'Request review' : `Request review again (${asked} has asked)`,
    disabled: isBusy || documents.length === 0 || release.state !== 'active',
    title:
      documents.length === 0
        ? 'Add documents first'
        : 'Somebody else looks at all changes of this release, and then publishes or schedules it',
    onHandle: () => void request(),
  }
}
