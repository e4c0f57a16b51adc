import type {Action} from '@sanity/client'
import {PublishIcon} from '@sanity/icons/Publish'
import {getDraftId, getPublishedId, getVersionId, isDraftId} from 'sanity'
import {type StoredDocument, siteOf} from '../../schemas/documents.ts'
import {useSend} from '../live/useSend.ts'
import {useAddresses} from '../parts/addresses.ts'
import {PaneButton} from '../parts/layout.tsx'

/** Sanity's names of releases: `r` and eight characters. */
function newName(): string {
  const random = Array.from(crypto.getRandomValues(new Uint8Array(8)), (byte) => (byte % 36).toString(36))
  return `r${random.join('')}`
}

/** The actions that move drafts into a new release, where they are looked at and published together. */
function actionsFor(release: string, title: string, drafts: readonly StoredDocument[]): Action[] {
  return [
    {actionType: 'sanity.action.release.create', releaseId: release, metadata: {title, releaseType: 'asap'}},
    ...drafts.flatMap(({_id, _rev}): Action[] => {
      const publishedId = getPublishedId(_id)
      const versionId = getVersionId(publishedId, release)
      return [
        {
          actionType: 'sanity.action.document.version.create',
          publishedId,
          baseId: _id,
          versionId,
          ifBaseRevisionId: _rev,
        },
        {actionType: 'sanity.action.document.version.discard', versionId: _id},
      ]
    }),
  ]
}

/** A button that makes a release of all drafts of a site. */
export function MakeReleaseButton(props: {
  siteId: string
  name: string
  documents: readonly StoredDocument[]
}) {
  const {siteId, name, documents} = props
  const {isBusy, run} = useSend()
  const addresses = useAddresses()
  const drafts = documents.filter(
    (document) =>
      isDraftId(document._id) && (document._id === getDraftId(siteId) || siteOf(document) === siteId),
  )
  if (drafts.length < 2) return null
  const make = async () => {
    const release = newName()
    const actions = actionsFor(release, `Drafts of ${name}`, drafts)
    const done = `A release has ${drafts.length} drafts now`
    const isDone = await run(done, (client) => client.action(actions))
    // The router of the page of a site knows no addresses of Studio's own tools.
    if (isDone) location.assign(addresses.release(release))
  }
  return (
    <PaneButton
      data-testid="make-release"
      disabled={isBusy}
      icon={PublishIcon}
      onClick={() => void make()}
      text={`Publish all ${drafts.length} drafts…`}
      title="Moves the drafts into a release, which you look at, and publish as a whole, now or at a time"
    />
  )
}
