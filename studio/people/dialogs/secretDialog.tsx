import {Button, Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {isRecord} from '../../../schemas/rules/json.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {CopyText} from '../../parts/copyText.tsx'
import {StudioDialog} from '../../parts/dialog.tsx'
import type {Person} from '../access.ts'
import {useAccessSend} from '../useAccess.ts'
import {FormDialog} from './formDialog.tsx'

/** What to do with a sign-in link. */
export function linkText(isInvited: boolean): string {
  const time = isInvited ? '3 days' : 'half an hour'
  return `Send this link to them, and only to them. It signs them in once, within ${time}, and is not shown again. Then they can set a password under “People”. If the link gets too old, make another one with “Sign-in link”.`
}

type SecretDialogProps = {title: string; text: string; secret: string; onClose: () => void}

/** Shows a link or a token once, to be copied. */
export function SecretDialog({title, text, secret, onClose}: SecretDialogProps) {
  return (
    // A click outside does not close it, because the secret would be lost.
    <StudioDialog header={title} id="people-secret" onClose={onClose} width={1}>
      <Stack gap={4}>
        <Text size={1}>{text}</Text>
        <CopyText name="secret" text={secret} />
        <Flex justify="flex-end">
          <Button data-testid="secret-done" fontSize={1} onClick={onClose} text="Done" />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}

/** Makes a sign-in link for a person, after a question: an earlier link ends. */
export function LinkDialog({person, onClose}: {person: Person; onClose: () => void}) {
  const send = useAccessSend()
  const [link, setLink] = useState<string>()
  if (link !== undefined)
    return (
      <SecretDialog
        onClose={onClose}
        secret={link}
        text={linkText(person.isInvited)}
        title={`Sign-in link for ${person.name}`}
      />
    )
  return (
    <FormDialog
      action="Make a link"
      isComplete
      onClose={onClose}
      send={async () => {
        const answer = await send('POST', `/people/${person.id}/link`)
        setLink(textOf(isRecord(answer) ? answer.link : undefined))
      }}
      title={`Sign-in link for ${person.name}`}
    >
      <Text size={1}>
        The first person who opens the link is signed in as {person.name}. A link that you made before does
        not work any more.
      </Text>
    </FormDialog>
  )
}
