import {Button, Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {FormDialog, type FormDialogProps} from '../../live/formDialog.tsx'
import {CopyText} from '../../parts/copyText.tsx'
import {StudioDialog} from '../../parts/dialog.tsx'
import {type Person, useAccessSend} from '../access.ts'

/** What to do with a sign-in link. */
export function linkText(isInvited: boolean): string {
  const time = isInvited ? '3 days' : 'half an hour'
  return `Send this link to them, and only to them. It signs them in once, within ${time}, and is not shown again. Then they can set a password under “People”. If the link gets too old, make another one with “Sign-in link”.`
}

type SecretDialogProps = Omit<FormDialogProps, 'send'> & {
  path: string
  body?: object
  /** What is said about the link or token that the lake makes. */
  secret: {title: string; text: string}
}

/** A form whose answer has a link or a token, which is shown once, to be copied. */
export function SecretDialog({path, body, secret: {title, text}, ...form}: SecretDialogProps) {
  const send = useAccessSend()
  const [secret, setSecret] = useState<string>()
  if (secret === undefined)
    return (
      <FormDialog
        {...form}
        send={async () => {
          const {link, token} = await send<{link?: string; token?: string}>('POST', path, body)
          setSecret(link ?? token)
        }}
      />
    )
  return (
    // A click outside does not close it, because the secret would be lost.
    <StudioDialog header={title} id="people-secret" onClose={form.onClose} width={1}>
      <Stack gap={4}>
        <Text size={1}>{text}</Text>
        <CopyText name="secret" text={secret} />
        <Flex justify="flex-end">
          <Button data-testid="secret-done" fontSize={1} onClick={form.onClose} text="Done" />
        </Flex>
      </Stack>
    </StudioDialog>
  )
}

/** Makes a sign-in link for a person, after a question: an earlier link ends. */
export function LinkDialog({person: {id, name, isInvited}, onClose}: {person: Person; onClose: () => void}) {
  const title = `Sign-in link for ${name}`
  return (
    <SecretDialog
      action="Make a link"
      isComplete
      onClose={onClose}
      path={`/people/${id}/link`}
      secret={{title, text: linkText(isInvited)}}
      title={title}
    >
      <Text size={1}>
        The first person who opens the link is signed in as {name}. A link that you made before does not work
        any more.
      </Text>
    </SecretDialog>
  )
}
