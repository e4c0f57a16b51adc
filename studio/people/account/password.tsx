import {Card} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {SubmitForm} from '../../live/formDialog.tsx'
import {Field} from '../../parts/fields/field.tsx'
import {Tick} from '../../parts/fields/tick.tsx'
import {Note} from '../../parts/note.tsx'
import {Section} from '../../parts/section.tsx'
import type {Me} from '../access.ts'
import {useAccessSend} from '../useAccess.ts'

/** As the lake requires it. */
const MIN_LENGTH = 10

/** Sets or changes the password of the editor who uses Studio. */
export function Password({me, reload}: {me: Me; reload: () => void}) {
  const {isSet = false, mayReset = false} = me.password
  const asksCurrent = isSet && !mayReset
  return (
    <Section
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
  const send = useAccessSend()
  const toast = useToast()
  const [current, setCurrent] = useState('')
  const [password, setPassword] = useState('')
  const [isShown, setShown] = useState(false)
  const isComplete = Array.from(password).length >= MIN_LENGTH && (!asksCurrent || current !== '')
  const save = async () => {
    await send('PUT', '/me/password', {password, ...(asksCurrent && {current})})
    setCurrent('')
    setPassword('')
    toast.push({
      status: 'success',
      title: isSet ? 'Your password is changed' : 'Your password is set',
      description: 'You are signed out in all other browsers.',
    })
    reload()
  }
  const type = isShown ? 'text' : 'password'
  return (
    <Card border padding={4} radius={2}>
      <SubmitForm
        action={isSet ? 'Change password' : 'Set password'}
        isComplete={isComplete}
        send={save}
        testId="own-password"
      >
        {/* Password managers save the account with it. */}
        <input autoComplete="username" hidden readOnly type="email" value={me.email} />
        {asksCurrent && (
          <Field
            autoComplete="current-password"
            label="Current password"
            onChange={setCurrent}
            type={type}
            value={current}
          />
        )}
        <Field
          autoComplete="new-password"
          hint={`At least ${MIN_LENGTH} characters. Four words that do not belong together are easy to remember and hard to guess.`}
          label="New password"
          onChange={setPassword}
          type={type}
          value={password}
        />
        <Tick checked={isShown} onChange={setShown}>
          Show what you type
        </Tick>
      </SubmitForm>
    </Card>
  )
}
