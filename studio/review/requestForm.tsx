import {Button, Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {useCurrentUser} from 'sanity'
import {useSend} from '../live/useSend.ts'
import {Field} from '../parts/fields.tsx'
import {PaneButton} from '../parts/layout.tsx'
import {doWithoutReview, MAX_LENGTH, requestReview, type Wish} from './send.ts'

type RequestFormProps = {
  wish: Wish
  /** Who may publish it, where the site asks for no review. */
  whom?: string | undefined
  onDone: () => void
}

/** Requests a review. Administrators can do without one, and say why. */
export function RequestForm({wish, whom, onDone}: RequestFormProps) {
  const isAdministrator = useCurrentUser()?.roles.some(({name}) => name === 'administrator') ?? false
  const [isUrgent, setUrgent] = useState(false)
  const [text, setText] = useState('')
  const {isBusy, run} = useSend()
  const verb = wish.action
  const submit = async () => {
    const isDone = isUrgent
      ? await run('Done without a review', (client) => doWithoutReview(client, wish, text))
      : await run(whom === undefined ? 'A review is requested' : `${whom} can publish it now`, (client) =>
          requestReview(client, wish, text),
        )
    if (isDone) onDone()
  }
  return (
    <Stack data-testid="review-request" gap={4}>
      <Text size={1}>
        {isUrgent
          ? 'Pages change at once, and no other person has looked at the change. Your reason is shown under “Activity”, in the commit and in the audit log.'
          : whom !== undefined
            ? `You can write drafts here, and ${whom} can publish them. They find this one under “Reviews” of the site, with what you write.`
            : `This site asks that somebody else looks at this change. They find it under “Reviews” of the site, and ${verb} it there.`}
      </Text>
      <Field
        label={isUrgent ? 'Why is there no time for a review?' : 'What should they know?'}
        maxLength={MAX_LENGTH}
        onChange={setText}
        rows={3}
        testId="review-text"
        value={text}
      />
      <Flex gap={2} justify="flex-end" wrap="wrap">
        {isAdministrator && (
          <PaneButton
            data-testid="review-urgent"
            mode="bleed"
            onClick={() => setUrgent(!isUrgent)}
            text={isUrgent ? 'Request a review instead' : `It is urgent: ${verb} without a review`}
          />
        )}
        <Button
          data-testid="review-submit"
          disabled={isBusy || (isUrgent && text.trim() === '')}
          fontSize={1}
          onClick={() => void submit()}
          text={
            isUrgent
              ? `${verb[0]?.toUpperCase()}${verb.slice(1)} without a review`
              : whom === undefined
                ? 'Request review'
                : 'Ask to publish'
          }
          tone={isUrgent ? 'critical' : 'primary'}
        />
      </Flex>
    </Stack>
  )
}
