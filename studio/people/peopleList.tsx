import {AddIcon} from '@sanity/icons/Add'
import {Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {NotLoaded} from '../live/notLoaded.tsx'
import {ConfirmDialog} from '../parts/confirmDialog.tsx'
import {Rows} from '../parts/rows.tsx'
import {Section} from '../parts/section.tsx'
import {PaneButton} from '../parts/smallButton.tsx'
import {byName, type Me, type People, type Person} from './access.ts'
import {PersonDialog} from './dialogs/personDialog.tsx'
import {RightsDialog} from './dialogs/rightsDialog.tsx'
import {LinkDialog} from './dialogs/secretDialog.tsx'
import {type Asked, PersonRow} from './personRow.tsx'
import type {Site} from './roles.ts'
import {useAccess, useChange} from './useAccess.ts'

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
