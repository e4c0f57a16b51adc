import {useState} from 'react'
import {Field} from '../../parts/fields/field.tsx'
import type {Me} from '../access.ts'
import {managedSites, type Right, type Site} from '../roles.ts'
import {isComplete, RightsForm} from './rightsForm.tsx'
import {linkText, SecretDialog} from './secretDialog.tsx'

/** Invites a person: adds them, and shows the link with which they sign in. */
export function PersonDialog({me, sites, onClose}: {me: Me; sites: readonly Site[]; onClose: () => void}) {
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
