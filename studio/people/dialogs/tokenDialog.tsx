import {useState} from 'react'
import {Field} from '../../parts/fields/field.tsx'
import type {Me} from '../access.ts'
import {managedSites, type Right, type Site} from '../roles.ts'
import {isComplete, RightsForm} from './rightsForm.tsx'
import {SecretDialog} from './secretDialog.tsx'

/** Makes a token, and shows it once. */
export function TokenDialog({me, sites, onClose}: {me: Me; sites: readonly Site[]; onClose: () => void}) {
  const managed = managedSites(me.rights)
  const [name, setName] = useState('')
  const [rights, setRights] = useState<readonly Right[]>([{role: 'viewer', sites: managed}])
  return (
    <SecretDialog
      action="Make a token"
      body={{name, rights}}
      isComplete={name.trim() !== '' && isComplete(rights)}
      onClose={onClose}
      path="/tokens"
      secret={{
        title: `Token “${name}”`,
        text: 'Copy the token into the settings of the program. It is not shown again: if it gets lost, revoke it and make another one.',
      }}
      title="Make a token"
    >
      <Field hint="What uses it, such as “Nightly import”." label="Name" onChange={setName} value={name} />
      <RightsForm isProgram managed={managed} onChange={setRights} rights={rights} sites={sites} />
    </SecretDialog>
  )
}
