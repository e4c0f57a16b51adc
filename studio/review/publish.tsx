import {EyeOpenIcon} from '@sanity/icons/EyeOpen'
import {useMemo, useState} from 'react'
import {
  type DocumentActionDescription,
  type SanityDocument,
  useDocumentPairPermissions,
  useSyncState,
  useValidationStatus,
} from 'sanity'
import {parseDocuments} from '../../schemas/documents.ts'
import {needsReview, reviewedSiteOf} from '../../schemas/review.ts'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {menuDialog} from '../parts/dialog.tsx'
import {lazily} from '../parts/lazily.tsx'
import {replacedAction} from '../parts/replacedAction.ts'
import {allows, listNames, type Me, useAccess} from '../people/access.ts'
import {type Review, reviewOfDocument, reviewsIn} from './review.ts'

const RequestForm = lazily(async () => (await import('./requestForm.tsx')).RequestForm)

/** Sanity's action "Publish". Where the site asks for a review, it requests one instead. */
export const unlessReviewed = replacedAction('UnlessReviewed', (action) => (props) => {
  const publish = action(props)
  const {id, type, draft, published} = props
  const found = useReview(id, published, draft)
  const [permissions] = useDocumentPairPermissions({id, type, permission: 'publish'})
  const isRefused = permissions?.granted === false
  const isNeeded = found?.isNeeded === true
  const whom = usePublishers(isRefused && !isNeeded ? (draft ?? published) : null)
  const request = useRequest({id, type, draft, review: found?.review, whom})
  return publish === null || draft === null || (!isNeeded && !isRefused) ? publish : request
})

type RequestOptions = {
  id: string
  type: string
  draft: {_rev: string} | null
  review: Review | undefined
  /** Who may publish the document. Undefined: the site asks for a review. */
  whom: Publishers | undefined
}

function useRequest({id, type, draft, review, whom}: RequestOptions): DocumentActionDescription {
  const [isAsking, setAsking] = useState(false)
  const {validation, isValidating} = useValidationStatus(id, type, false)
  const {isSyncing} = useSyncState(id, type)
  const [permissions, isLoading] = useDocumentPairPermissions({id, type, permission: 'update'})
  const hasErrors = validation.some(({level}) => level === 'error')
  const waits = review?.action === 'publish' && review.draftRevision === draft?._rev && !review.isSentBack
  const words = wordsFor(whom)
  const problem =
    permissions?.granted === false
      ? `You are not allowed to change this document.${whom === undefined ? '' : ` ${whom.own}`}`
      : hasErrors
        ? 'Fix the errors in the form first.'
        : waits
          ? `${words.who} publishes it, under “Reviews” of the site. If you change the draft, request ${words.what} again.`
          : undefined
  return {
    label: waits ? words.waits : review === undefined ? words.ask : `${words.ask} again`,
    icon: EyeOpenIcon,
    tone: 'primary',
    disabled: problem !== undefined || isLoading || isValidating || isSyncing,
    title: problem ?? words.title,
    onHandle: () => setAsking(true),
    dialog:
      isAsking &&
      draft !== null &&
      menuDialog(
        words.header,
        <RequestForm
          onDone={() => setAsking(false)}
          whom={whom?.names}
          wish={{id, action: 'publish', draftRevision: draft._rev}}
        />,
        () => setAsking(false),
      ),
  }
}

function wordsFor(whom: Publishers | undefined) {
  return whom === undefined
    ? {
        waits: 'Waiting for review',
        ask: 'Request review',
        who: 'Somebody else',
        what: 'a review',
        title: 'This site asks that somebody else looks at a change before it is published.',
        header: 'Request a review',
      }
    : {
        waits: 'Waiting for a publisher',
        ask: 'Ask to publish',
        who: whom.names,
        what: 'it',
        title: `${whom.own} ${whom.names} can publish it.`,
        header: 'Ask to publish this',
      }
}

/** Who may publish a document that the person who uses Studio may not publish. */
type Publishers = {
  /** In a sentence: "Ada Lovelace or Charles Babbage". */
  readonly names: string
  /** What this person is: "You are author of Harbour Supply." */
  readonly own: string
}

/** Names those who may publish a document. Null: not needed. */
function usePublishers(document: SanityDocument | null): Publishers | undefined {
  const loaded = useAccess<Me>(document === null ? undefined : '/me')
  const [parsed] = parseDocuments([document])
  if (parsed === undefined) return undefined
  if (loaded.state !== 'answered') return {names: 'A publisher', own: 'You may not publish here.'}
  const siteId = reviewedSiteOf(parsed)
  const names = loaded.value.publishers
    .filter(({rights}) => allows(rights, 'publisher', siteId))
    .map(({name}) => name)
  return {
    names: names.length === 0 ? 'An administrator' : listNames(names),
    own: `You are ${loaded.value.rightsText}.`,
  }
}

/** Whether publishing a draft needs a review, and the request for one. Undefined: not known yet. */
function useReview(
  id: string,
  published: SanityDocument | null,
  draft: SanityDocument | null,
): {readonly isNeeded: boolean; readonly review: Review | undefined} | undefined {
  const [before] = parseDocuments([published])
  const [after] = parseDocuments([draft])
  const sites = [before, after].flatMap((document) => (document && reviewedSiteOf(document)) ?? [])
  const siteIds = [...new Set(sites)].sort().join(' ')
  const selection = useMemo(() => reviewOfDocument(id, siteIds.split(' ')), [id, siteIds])
  const live = useLiveDocuments(selection)
  if (live.state !== 'ready') return undefined
  const [review] = reviewsIn(live.documents)
  const siteBefore = (siteId: string) => live.documents.find(({_id}) => _id === siteId)
  return {isNeeded: needsReview({before, after}, siteBefore), review}
}
