import {Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {RelativeTime} from 'sanity'
import {useSend} from '../live/useSend.ts'
import {Field} from '../parts/fields/field.tsx'
import {PaneButton} from '../parts/smallButton.tsx'
import type {Review} from './review.ts'
import {answerReview, MAX_LENGTH} from './send.ts'

/** The comments on a request, and a field for another one. */
export function Conversation({review, maySendBack}: {review: Review; maySendBack: boolean}) {
  const {document, comments, isSentBack} = review
  const [text, setText] = useState('')
  const {isBusy, run} = useSend()
  const say = async (kind: 'comment' | 'sendBack') => {
    const done = kind === 'comment' ? 'Comment saved' : 'Sent back'
    if (await run(done, (client) => answerReview(client, kind, document, text))) setText('')
  }
  const isEmpty = isBusy || text.trim() === ''
  return (
    <Stack gap={4}>
      {comments.length > 0 && (
        <Stack as="ul" gap={3}>
          {comments.map(({key, name, at, text: said}) => (
            <Stack as="li" data-testid="review-comment" gap={2} key={key}>
              <Text size={1}>
                <strong>{name}</strong>{' '}
                <span>
                  <RelativeTime time={at} useTemporalPhrase />
                </span>
              </Text>
              <Text size={1} style={{whiteSpace: 'pre-wrap'}}>
                {said}
              </Text>
            </Stack>
          ))}
        </Stack>
      )}
      <Stack gap={3}>
        <Field
          label="Comment"
          maxLength={MAX_LENGTH}
          onChange={setText}
          rows={2}
          testId="review-comment-text"
          value={text}
        />
        <Flex gap={2} wrap="wrap">
          <PaneButton disabled={isEmpty} onClick={() => void say('comment')} text="Comment" />
          {maySendBack && !isSentBack && (
            <PaneButton
              data-testid="review-send-back"
              disabled={isEmpty}
              onClick={() => void say('sendBack')}
              text="Send back with this comment"
              tone="caution"
            />
          )}
        </Flex>
      </Stack>
    </Stack>
  )
}
