import {Badge, Flex, Stack, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import {Muted, Strong} from '../parts/note.tsx'
import {SmallButton} from '../parts/smallButton.tsx'
import type {Person} from './access.ts'
import {rightsText, type Site} from './roles.ts'

/** What an administrator asks for in a row. */
export type Asked = 'rights' | 'link' | 'sessions' | 'remove'

type PersonRowProps = {
  person: Person
  isMe: boolean
  sites: readonly Site[]
  ask: (what: Asked) => void
}

/** A person, what they may do, and what an administrator can do about it. */
export function PersonRow({person, isMe, sites, ask}: PersonRowProps) {
  const {name, email, rights, sessions, mayManage, isInvited, usesSingleSignOn} = person
  const [latest] = sessions.map(({lastUsed}) => lastUsed).sort((a, b) => b.localeCompare(a))
  const button = (what: Asked, text: string) => (
    <SmallButton
      aria-label={`${text}: ${name}`}
      key={what}
      onClick={() => ask(what)}
      text={text}
      tone={what === 'remove' ? 'critical' : 'default'}
    />
  )
  return (
    <Flex align="flex-start" data-testid={`person-${email}`} gap={4} justify="space-between" wrap="wrap">
      <Stack flex={1} gap={3} style={{minWidth: '16em'}}>
        <Flex align="center" gap={2}>
          <Strong>{name}</Strong>
          {isMe && <Badge>You</Badge>}
        </Flex>
        <Muted>{email}</Muted>
        <Text size={1}>{rightsText(rights, sites)}</Text>
        {(isMe || mayManage) && (
          <Muted>
            {latest === undefined ? (
              isInvited ? (
                'Invited, and has not signed in yet'
              ) : (
                'Not signed in'
              )
            ) : (
              <>
                Signed in in {sessions.length === 1 ? 'one browser' : `${sessions.length} browsers`}, last
                used <RelativeTime time={latest} useTemporalPhrase />
              </>
            )}
          </Muted>
        )}
        {usesSingleSignOn && <Muted>Signs in with single sign-on, which also decides on the role.</Muted>}
        {!isMe && !mayManage && (
          <Muted>
            Also has a role for sites that you do not administer. Only an administrator of all sites can
            remove this person or make a sign-in link.
          </Muted>
        )}
      </Stack>
      {isMe ? (
        <Muted>Only another administrator can change your role.</Muted>
      ) : (
        <Flex gap={2} wrap="wrap">
          {!usesSingleSignOn && button('rights', 'Change role')}
          {mayManage && !usesSingleSignOn && button('link', 'Sign-in link')}
          {mayManage && sessions.length > 0 && button('sessions', 'Sign out')}
          {mayManage && button('remove', 'Remove')}
        </Flex>
      )}
    </Flex>
  )
}
