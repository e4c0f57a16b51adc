import {useState} from 'react'
import {type SanityDocument, useDocumentPairPermissions} from 'sanity'
import {parseDocuments} from '../../schemas/documents.ts'
import {needsReview} from '../../schemas/review.ts'
import {isSiteEnabled} from '../../schemas/rules/site.ts'
import {useSend} from '../live/useSend.ts'
import type {Wish} from '../review/send.ts'
import {isLake} from '../running.ts'

/** Switches a published site off and on. */
export type SiteSwitch = NonNullable<ReturnType<typeof useSiteSwitch>>

/**
 * The switch of a site. It changes `enabled` alone: other changes in a draft stay in the draft. Switching off needs no
 * review; where switching on needs one, the draft is switched on, and a review of it can be requested.
 * @param published the site as it is published; null: there is nothing to switch
 */
export function useSiteSwitch(id: string, published: SanityDocument | null, draft: SanityDocument | null) {
  const {isBusy, run} = useSend()
  const [before] = parseDocuments([published])
  const isOn = before === undefined || isSiteEnabled(before)
  const isReviewed =
    isLake && before !== undefined && needsReview({before, after: {...before, enabled: !isOn}}, () => before)
  const permission = isReviewed ? 'update' : 'publish'
  const [permissions, isLoading] = useDocumentPairPermissions({id, type: 'site', permission})
  const [asks, setAsks] = useState<'confirmation' | Wish>()
  if (published === null) return undefined

  const publish = () =>
    run(isOn ? 'All tools are switched off' : 'All tools are switched on', async (client) => {
      const transaction = client.transaction().patch(id, {set: {enabled: !isOn}})
      if (draft !== null) transaction.patch(draft._id, {set: {enabled: !isOn}})
      await transaction.commit({tag: 'handrail.site-switch'})
    })
  const request = () =>
    run('The draft is switched on', async (client) => {
      const draftId = `drafts.${id}`
      const {_rev, _createdAt, _updatedAt, ...fields} = published
      await client
        .transaction()
        .createIfNotExists({...fields, _id: draftId})
        .patch(draftId, {set: {enabled: true}})
        .commit({tag: 'handrail.site-switch'})
      const written = await client.getDocument(draftId)
      setAsks({id, action: 'publish', draftRevision: written?._rev})
    })
  return {
    isOn,
    label: isOn ? 'Switch off all tools' : 'Switch on all tools',
    pollInterval: published.pollInterval,
    isDisabled: isBusy || isLoading || permissions?.granted !== true,
    /** Why it is disabled, if the person can do something about it. */
    problem: permissions?.granted === false ? `You are not allowed to ${permission} this site.` : undefined,
    /** What to show now: a question before switching off, or the form that requests a review of switching on. */
    asks,
    start: isOn ? () => setAsks('confirmation') : () => void (isReviewed ? request() : publish()),
    confirm: () => void publish(),
    cancel: () => setAsks(undefined),
  }
}
