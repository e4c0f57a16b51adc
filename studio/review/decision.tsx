import {CheckmarkIcon} from '@sanity/icons/Checkmark'
import {EyeOpenIcon} from '@sanity/icons/EyeOpen'
import {Button, Flex, Stack} from '@sanity/ui'
import {useEffect, useState} from 'react'
import {useCurrentUser} from 'sanity'
import {REACHES_PAGES} from '../install/freshness.ts'
import type {ShownRelease} from '../live/useContent.ts'
import {useSend} from '../live/useSend.ts'
import {Note, PaneButton} from '../parts/layout.tsx'
import {PreviewDialog} from '../preview/dialog.tsx'
import type {Reviewed} from './changes.ts'
import type {Review} from './review.ts'
import {keepSeen} from './seen.ts'
import {answerReview, approve} from './send.ts'

const APPROVALS = {publish: 'Approve and publish', unpublish: 'Unpublish', delete: 'Delete'} as const

type DecisionProps = {
  review: Review
  siteId: string
  isTool: boolean
  reviewed: Reviewed
  release: ShownRelease | undefined
  mayPublish: boolean
  /** Whether the site asks that tests passed, and they did not. */
  lacksTests: boolean
}

/** The buttons with which a change is tried, approved or withdrawn, and why it cannot be approved. */
export function Decision(props: DecisionProps) {
  const {review, siteId, isTool, release, reviewed} = props
  const {document: id, action, isSentBack} = review
  const [isOpening, setOpening] = useState(false)
  const {isBusy, run} = useSend()
  const isOwn = useCurrentUser()?.id === review.byId
  const [seen, setSeen] = useState(review)
  const isSame = seen.action === action && seen.after === review.after
  const problem = problemOf(props, isOwn) ?? (isSame ? undefined : REPLACED)
  const content = reviewed.isAsRequested && isSame ? review.after : undefined
  useEffect(() => {
    if (release !== undefined && content !== undefined) keepSeen(release.name, content)
  }, [release, content])
  return (
    <Stack gap={4}>
      {problem !== undefined && <Note tone={isSentBack ? 'default' : 'caution'}>{problem}</Note>}
      <Flex gap={2} wrap="wrap">
        {reviewed.changes.some(({after}) => after !== undefined) && (
          <PaneButton
            data-testid="review-open-page"
            icon={EyeOpenIcon}
            onClick={() => setOpening(true)}
            text={`Open the page with this ${release === undefined ? 'draft' : 'release'}`}
          />
        )}
        {isOwn ? (
          <PaneButton
            disabled={isBusy}
            onClick={() =>
              void run('The request is withdrawn', (client) => answerReview(client, 'withdraw', id, ''))
            }
            text="Withdraw the request"
          />
        ) : (
          <Button
            data-testid="review-approve"
            disabled={isBusy || problem !== undefined}
            fontSize={1}
            icon={CheckmarkIcon}
            onClick={() => void run(`Approved. ${REACHES_PAGES}`, (client) => approve(client, review))}
            text={APPROVALS[action]}
            tone={action === 'publish' ? 'default' : 'critical'}
          />
        )}
        {problem === REPLACED && (
          <PaneButton
            data-testid="review-seen"
            onClick={() => setSeen(review)}
            text="I have looked at it again"
          />
        )}
      </Flex>
      {isOpening && (
        <PreviewDialog
          onClose={() => setOpening(false)}
          release={release}
          siteId={siteId}
          {...(isTool && {toolId: id})}
        />
      )}
    </Stack>
  )
}

const REPLACED = 'The request was replaced while you looked at it. Look at its changes again.'

/** Why this person cannot approve the change now. */
function problemOf(
  {review: {isSentBack}, release, reviewed, mayPublish, lacksTests}: DecisionProps,
  isOwn: boolean,
): string | undefined {
  const isDraft = release === undefined
  if (isSentBack)
    return `It was sent back. The author can change the ${isDraft ? 'draft' : 'release'} and request a review again.`
  if (!reviewed.isAsRequested)
    return isDraft
      ? 'The draft changed after the review was requested. Look at the new draft in the form, and request a review again there.'
      : 'The release changed after the review was requested. Look at its changes, and request a review again in its menu.'
  if (!reviewed.isBaseAsRequested)
    return isDraft
      ? 'The published document changed after the review was requested. A new review has to be requested in the form.'
      : 'Others published one of these documents after the review was requested. Discard its version in the release, add it again, and request a new review.'
  if (isOwn) return 'You requested this review, so somebody else has to publish it.'
  if (!mayPublish) return 'You are not allowed to publish here. Ask an administrator of this Studio.'
  return lacksTests
    ? 'This site publishes a tool only after its tests passed on this version. Your developers set up (in CI) that they run for each review: ask them if no result appears here.'
    : undefined
}
