import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {parseDocuments} from '../../schemas/diagnosis/documents.ts'
import {needsReview, reviewedSiteOf} from '../../schemas/review.ts'
import {useContent} from '../live/useContent.ts'
import {menuDialog} from '../parts/dialog.tsx'
import {lazily} from '../parts/lazily.tsx'
import {replacedAction} from '../parts/replacedAction.ts'

const RequestForm = lazily(async () => (await import('./requestForm.tsx')).RequestForm)

/** Sanity's action that deletes or unpublishes. Where the site asks for a review, it requests one instead. */
export const removedWithReview = replacedAction('RemovedWithReview', (action) => {
  const verb = action.action === 'delete' ? 'delete' : 'unpublish'
  return (props) => {
    const description = action(props)
    const client = useContent()
    const toast = useToast()
    const [isAsking, setAsking] = useState(false)
    if (description === null) return null
    const {id, published} = props
    const askIfNeeded = async () => {
      const [before] = parseDocuments([published])
      const siteId = before && reviewedSiteOf(before)
      try {
        const site = siteId === undefined ? undefined : await client.getDocument(siteId)
        if (needsReview({before, after: undefined}, () => site)) setAsking(true)
        else description.onHandle?.()
      } catch {
        toast.push({status: 'error', title: 'The settings of the site could not be read. Try again.'})
      }
    }
    return {
      ...description,
      onHandle: () => void askIfNeeded(),
      ...(isAsking && {
        dialog: menuDialog(
          `Request a review to ${verb} this`,
          <RequestForm onDone={() => setAsking(false)} wish={{id, action: verb, draftRevision: undefined}} />,
          () => setAsking(false),
        ),
      }),
    }
  }
})
