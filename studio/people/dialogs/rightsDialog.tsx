import {useState} from 'react'
import {FormDialog} from '../../live/formDialog.tsx'
import {Muted} from '../../parts/note.tsx'
import type {Me, Person} from '../access.ts'
import {managedSites, type Site} from '../roles.ts'
import {useAccessSend} from '../useAccess.ts'
import {isComplete, RightsForm} from './rightsForm.tsx'

type RightsDialogProps = {me: Me; person: Person; sites: readonly Site[]; onClose: () => void}

/** Changes what a person may do. */
export function RightsDialog({me, person, sites, onClose}: RightsDialogProps) {
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
