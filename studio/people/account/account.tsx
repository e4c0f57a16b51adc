import {Badge, Card, Flex, Stack, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import {Muted, Strong} from '../../parts/note.tsx'
import {Rows} from '../../parts/rows.tsx'
import {Section} from '../../parts/section.tsx'
import {SmallButton} from '../../parts/smallButton.tsx'
import type {Me} from '../access.ts'
import {ROLE_TEXTS, rightsText, type Site} from '../roles.ts'
import {useChange} from '../useAccess.ts'
import {Password} from './password.tsx'

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
