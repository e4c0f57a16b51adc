import {EyeOpenIcon} from '@sanity/icons/EyeOpen'
import {useState} from 'react'
import {
  type DocumentActionComponent,
  type DocumentActionDescription,
  useDocumentPairPermissions,
  useSyncState,
  useValidationStatus,
} from 'sanity'
import {lazily} from '../parts/lazily.tsx'
import type {Review} from './review.ts'
import {useReview} from './useReview.ts'

const RequestForm = lazily(async () => (await import('./requestForm.tsx')).RequestForm)

const known = new WeakMap<DocumentActionComponent, DocumentActionComponent>()

/** Sanity's action "Publish". Where the site asks for a review, it requests one instead. */
export function unlessReviewed(action: DocumentActionComponent): DocumentActionComponent {
  // Studio resolves actions again and again. A new function would lose the state of the old one.
  const earlier = known.get(action)
  if (earlier !== undefined) return earlier
  const guarded: DocumentActionComponent = (props) => {
    const publish = action(props)
    const {id, type, draft, published} = props
    const found = useReview(id, published, draft)
    const request = useRequest({id, type, draft, review: found?.review})
    return publish === null || draft === null || found?.isNeeded !== true ? publish : request
  }
  if (action.action !== undefined) guarded.action = action.action
  guarded.displayName = 'UnlessReviewed'
  known.set(action, guarded)
  return guarded
}

function useRequest({
  id,
  type,
  draft,
  review,
}: {
  id: string
  type: string
  draft: {_rev: string} | null
  review: Review | undefined
}): DocumentActionDescription {
  const [isAsking, setAsking] = useState(false)
  const {validation, isValidating} = useValidationStatus(id, type, false)
  const {isSyncing} = useSyncState(id, type)
  const [permissions, isLoading] = useDocumentPairPermissions({id, type, permission: 'update'})
  const hasErrors = validation.some(({level}) => level === 'error')
  const waits = review?.deed === 'publish' && review.draftRevision === draft?._rev && !review.isSentBack
  const problem =
    permissions?.granted === false
      ? 'You are not allowed to change this document.'
      : hasErrors
        ? 'Fix the errors in the form first.'
        : waits
          ? 'Somebody else publishes it, under “Reviews” of the site. If you change the draft, request a review again.'
          : undefined
  return {
    label: waits ? 'Waiting for review' : review === undefined ? 'Request review' : 'Request review again',
    icon: EyeOpenIcon,
    tone: 'primary',
    disabled: problem !== undefined || isLoading || isValidating || isSyncing,
    title: problem ?? 'This site asks that somebody else looks at a change before it is published.',
    onHandle: () => setAsking(true),
    dialog: isAsking &&
      draft !== null && {
        type: 'dialog',
        header: 'Request a review',
        width: 'small',
        content: (
          <RequestForm
            onDone={() => setAsking(false)}
            wish={{id, deed: 'publish', draftRevision: draft._rev}}
          />
        ),
        onClose: () => setAsking(false),
      },
  }
}
