import {Button, Card, Checkbox, Flex, Stack, Text, TextInput} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {type FormEvent, useId, useState} from 'react'
import {Note, Section} from '../install/parts.tsx'
import {Labelled} from '../parts/labelled.tsx'
import type {Me} from './access.ts'
import {useSend} from './useAccess.ts'

/** As the lake requires it. */
const MIN_LENGTH = 10

/** Sets or changes the password of the editor who uses Studio. */
export function Password({me, reload}: {me: Me; reload: () => void}) {
  const {isSet, mayReset} = me.password
  const asksCurrent = isSet && !mayReset
  return (
    <Section
      heading="h2"
      text={
        isSet
          ? 'After a change, you are signed out in all other browsers.'
          : 'With a password you can sign in without a link, in any browser.'
      }
      title={isSet ? 'Change your password' : 'Set a password'}
    >
      {isSet || mayReset ? (
        <PasswordForm asksCurrent={asksCurrent} isSet={isSet} me={me} reload={reload} />
      ) : (
        <Note>
          To set a password, sign in with a sign-in link first: it works for half an hour after that. An
          administrator makes the link.
        </Note>
      )}
    </Section>
  )
}

type PasswordFormProps = {me: Me; reload: () => void; isSet: boolean; asksCurrent: boolean}

function PasswordForm({me, reload, isSet, asksCurrent}: PasswordFormProps) {
  const send = useSend()
  const toast = useToast()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string>()
  const showId = useId()
  const isComplete = Array.from(password).length >= MIN_LENGTH && (!asksCurrent || current !== '')
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (!isComplete || isBusy) return
    setBusy(true)
    setProblem(undefined)
    send('PUT', '/me/password', {password, ...(asksCurrent && {current})})
      .then(
        () => {
          setCurrent('')
          setPassword('')
          toast.push({
            status: 'success',
            title: isSet ? 'Your password is changed' : 'Your password is set',
            description: 'You are signed out in all other browsers.',
          })
          reload()
        },
        (error: Error) => setProblem(error.message),
      )
      .finally(() => setBusy(false))
  }
  const type = isShown ? 'text' : 'password'
  return (
    <Card border padding={4} radius={2}>
      <form data-testid="own-password" onSubmit={submit}>
        <Stack gap={4}>
          {/* Password managers save the account with it. */}
          <input autoComplete="username" hidden readOnly type="email" value={me.email} />
          {asksCurrent && (
            <Labelled label="Current password">
              {(id) => (
                <TextInput
                  autoComplete="current-password"
                  fontSize={1}
                  id={id}
                  onChange={(event) => setCurrent(event.currentTarget.value)}
                  type={type}
                  value={current}
                />
              )}
            </Labelled>
          )}
          <Labelled
            hint={`At least ${MIN_LENGTH} characters. Four words that do not belong together are easy to remember and hard to guess.`}
            label="New password"
          >
            {(id) => (
              <TextInput
                aria-describedby={`${id}-hint`}
                autoComplete="new-password"
                fontSize={1}
                id={id}
                onChange={(event) => setPassword(event.currentTarget.value)}
                type={type}
                value={password}
              />
            )}
          </Labelled>
          <Flex align="center" gap={2}>
            <Checkbox checked={isShown} id={showId} onChange={() => setShown(!isShown)} />
            <Text as="label" htmlFor={showId} size={1}>
              Show what you type
            </Text>
          </Flex>
          {problem !== undefined && (
            <div role="alert">
              <Note tone="critical">{problem}.</Note>
            </div>
          )}
          <Flex>
            <Button
              data-testid="own-password-save"
              disabled={!isComplete || isBusy}
              fontSize={1}
              text={isSet ? 'Change password' : 'Set password'}
              type="submit"
            />
          </Flex>
        </Stack>
      </form>
    </Card>
  )
}
