import {AddIcon} from '@sanity/icons/Add'
import {Badge, Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {RelativeTime} from 'sanity'
import {FormDialog} from '../live/formDialog.tsx'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {ConfirmDialog} from '../parts/dialog.tsx'
import {Field} from '../parts/fields.tsx'
import {Muted, PaneButton, Rows, Section, SmallButton, Strong} from '../parts/layout.tsx'
import {
  byName,
  type Me,
  managedSites,
  type People,
  type Person,
  type Right,
  rightsText,
  type Site,
  useAccess,
  useAccessSend,
  useChange,
} from './access.ts'
import {isComplete, RightsForm} from './dialogs/rightsForm.tsx'
import {LinkDialog, linkText, SecretDialog} from './dialogs/secretDialog.tsx'

type Dialog = {kind: 'invite'} | {kind: Asked; person: Person} | undefined

/** The editors of the lake, for administrators. */
export function PeopleList({me, sites}: {me: Me; sites: readonly Site[]}) {
  const loaded = useAccess<People>('/people')
  const {change} = useChange(loaded.reload)
  const [dialog, setDialog] = useState<Dialog>()
  const close = () => {
    setDialog(undefined)
    loaded.reload()
  }
  if (loaded.state !== 'answered') return <NotLoaded of={loaded} />
  return (
    <Section
      text="Everyone who can sign in to this Studio, and what they may do. A change applies at once. A person who gets a larger role has to sign in again."
      title="People"
    >
      <PaneButton
        data-testid="invite"
        mode="default"
        icon={AddIcon}
        onClick={() => setDialog({kind: 'invite'})}
        text="Invite a person"
      />
      <Rows label="People" testId="people-list">
        {loaded.value.editors.toSorted(byName).map((person) => (
          <PersonRow
            ask={(kind) => setDialog({kind, person})}
            isMe={person.id === me.id}
            key={person.id}
            person={person}
            sites={sites}
          />
        ))}
      </Rows>
      <Stack>
        {dialog?.kind === 'invite' && <PersonDialog me={me} onClose={close} sites={sites} />}
        {dialog?.kind === 'rights' && (
          <RightsDialog me={me} onClose={close} person={dialog.person} sites={sites} />
        )}
        {dialog?.kind === 'link' && <LinkDialog onClose={close} person={dialog.person} />}
        {dialog?.kind === 'sessions' && (
          <ConfirmDialog
            action="Sign out everywhere"
            onClose={() => setDialog(undefined)}
            onConfirm={() =>
              change('DELETE', `/people/${dialog.person.id}/sessions`, `${dialog.person.name} is signed out`)
            }
            title={`Sign out ${dialog.person.name}`}
          >
            <Text size={1}>
              {dialog.person.name} has to sign in again in every browser. What they typed is saved.
            </Text>
          </ConfirmDialog>
        )}
        {dialog?.kind === 'remove' && (
          <ConfirmDialog
            action="Remove"
            onClose={() => setDialog(undefined)}
            onConfirm={() =>
              change('DELETE', `/people/${dialog.person.id}`, `${dialog.person.name} is removed`)
            }
            title={`Remove ${dialog.person.name}`}
          >
            <Text size={1}>
              {dialog.person.name} is signed out at once and cannot sign in any more. Their changes and drafts
              stay, with their name.
            </Text>
          </ConfirmDialog>
        )}
      </Stack>
    </Section>
  )
}

/** Invites a person: adds them, and shows the link with which they sign in. */
function PersonDialog({me, sites, onClose}: {me: Me; sites: readonly Site[]; onClose: () => void}) {
  const managed = managedSites(me.rights)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [rights, setRights] = useState<readonly Right[]>([{role: 'author', sites: managed}])
  return (
    <SecretDialog
      action="Invite"
      body={{name, email, rights}}
      isComplete={name.trim() !== '' && email.trim() !== '' && isComplete(rights)}
      onClose={onClose}
      path="/people"
      secret={{title: `${name} is invited`, text: linkText(true)}}
      title="Invite a person"
    >
      <Field hint="Shown with their changes, also in Git." label="Name" onChange={setName} value={name} />
      <Field label="Email address" onChange={setEmail} type="email" value={email} />
      <RightsForm managed={managed} onChange={setRights} rights={rights} sites={sites} />
    </SecretDialog>
  )
}

type RightsDialogProps = {me: Me; person: Person; sites: readonly Site[]; onClose: () => void}

/** Changes what a person may do. */
function RightsDialog({me, person, sites, onClose}: RightsDialogProps) {
  const send = useAccessSend()
  const [rights, setRights] = useState(person.rights)
  return (
    <FormDialog
      action="Save"
      isComplete={isComplete(rights)}
      onClose={onClose}
      send={async () => {
        await send('PUT', `/people/${person.id}/rights`, {rights})
        onClose()
      }}
      title={`Role of ${person.name}`}
    >
      <RightsForm managed={managedSites(me.rights)} onChange={setRights} rights={rights} sites={sites} />
      <Muted>
        If this allows more than before, {person.name} is signed out and has to sign in again. A password that
        an administrator with fewer rights could have set stops working. Make a new sign-in link for people
        without a password.
      </Muted>
    </FormDialog>
  )
}

/** What an administrator asks for in a row. */
type Asked = 'rights' | 'link' | 'sessions' | 'remove'

type PersonRowProps = {
  person: Person
  isMe: boolean
  sites: readonly Site[]
  ask: (what: Asked) => void
}

/** A person, what they may do, and what an administrator can do about it. */
function PersonRow({person, isMe, sites, ask}: PersonRowProps) {
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
