import {Badge, Card, Flex, Stack, Text} from '@sanity/ui'
import {useToast} from '@sanity/ui/toast'
import {useState} from 'react'
import {RelativeTime} from 'sanity'
import {SubmitForm} from '../../live/formDialog.tsx'
import {Field, Tick} from '../../parts/fields.tsx'
import {Muted, Note, Rows, Section, SmallButton, Strong} from '../../parts/layout.tsx'
import {type Me, ROLE_TEXTS, rightsText, type Site, useAccessSend, useChange} from '../access.ts'

type AccountProps = {me: Me; sites: readonly Site[]; reload: () => void}

/** What the editor may do, whom to ask for more, and where they are signed in. */
export function Account({me, sites, reload}: AccountProps) {
  const {change, isBusy} = useChange(reload)
  return (
    <Stack gap={6}>
      <Section text="What your role does not allow is not offered, or says so." title="What you may do">
        <Card border data-testid="own-rights" padding={4} radius={2}>
          <Stack gap={4}>
            {me.rights.map((right) => (
              <Text key={`${right.role} ${right.sites}`} size={1}>
                <strong>{rightsText([right], sites)}:</strong> {ROLE_TEXTS[right.role]}.
              </Text>
            ))}
            <Muted>
              {me.administrators.length === 0
                ? 'To change this, ask the operator of this server: there is no other administrator.'
                : `To change this, ask ${me.administrators.map(({name, email}) => `${name} (${email})`).join(', or ')}.`}
            </Muted>
          </Stack>
        </Card>
      </Section>
      {me.password.isOffered && <Password me={me} reload={reload} />}
      <Section
        text="Sign out on devices that you do not use any more, or do not know."
        title="Where you are signed in"
      >
        <Rows label="Your sessions" testId="own-sessions">
          {me.sessions.map((session) => (
            <Flex align="center" gap={3} justify="space-between" key={session.id} wrap="wrap">
              <SessionText session={session} />
              {!session.isCurrent && (
                <SmallButton
                  aria-label={`Sign out of ${session.browser}`}
                  disabled={isBusy}
                  onClick={() => change('DELETE', `/me/sessions/${session.id}`, 'Signed out there')}
                  text="Sign out"
                />
              )}
            </Flex>
          ))}
        </Rows>
      </Section>
    </Stack>
  )
}

/** A session in words: the browser, since when, and when it was used. */
function SessionText({session: {browser, since, lastUsed, isCurrent}}: {session: Me['sessions'][number]}) {
  return (
    <Stack gap={3}>
      <Flex align="center" gap={2}>
        <Strong>{browser}</Strong>
        {isCurrent && <Badge tone="positive">This browser</Badge>}
      </Flex>
      <Muted>
        Signed in <RelativeTime time={since} useTemporalPhrase />, last used{' '}
        <RelativeTime time={lastUsed} useTemporalPhrase />
      </Muted>
    </Stack>
  )
}

/** As the lake requires it. */
const MIN_LENGTH = 10

/** Sets or changes the password of the editor who uses Studio. */
function Password({me, reload}: {me: Me; reload: () => void}) {
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
