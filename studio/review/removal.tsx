import {parseDocuments} from '../../schemas/documents.ts'
import {needsReview, reviewedSiteOf} from '../../schemas/review.ts'
import {checkedAction} from '../live/checkedAction.tsx'
import {lazily} from '../parts/lazily.tsx'

const RequestForm = lazily(async () => (await import('./requestForm.tsx')).RequestForm)

/** Sanity's action that deletes or unpublishes. Where the site asks for a review, it requests one instead. */
export const removedWithReview = checkedAction('RemovedWithReview', {
  check: async (client, {published}) => {
    const [before] = parseDocuments([published])
    const siteId = before && reviewedSiteOf(before)
    const site = siteId === undefined ? undefined : await client.getDocument(siteId)
    return needsReview({before, after: undefined}, () => site) || undefined
  },
  failed: 'The settings of the site could not be read. Try again.',
  header: (verb) => `Request a review to ${verb} this`,
  content: (_, verb, {id}, {close}) => (
    <RequestForm onDone={close} wish={{id, action: verb, draftRevision: undefined}} />
  ),
})
