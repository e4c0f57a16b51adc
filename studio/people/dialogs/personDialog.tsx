import {useState} from 'react'
import {isRecord} from '../../../schemas/rules/json.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {Field} from '../../parts/fields/field.tsx'
import type {Me} from '../access.ts'
import {managedSites, type Right, type Site} from '../roles.ts'
import {useAccessSend} from '../useAccess.ts'
import {FormDialog} from './formDialog.tsx'
import {isComplete, RightsForm} from './rightsForm.tsx'
import {linkText, SecretDialog} from './secretDialog.tsx'

/** Invites a person: adds them, and shows the link with which they sign in. */
export function PersonDialog({me, sites, onClose}: {me: Me; sites: readonly Site[]; onClose: () => void}) {
  const send = useAccessSend()
  const managed = managedSites(me.rights)
  const [name, setName] = useState('')
  const [email, setEmail] = useState('')
  const [rights, setRights] = useState<readonly Right[]>([{role: 'author', sites: managed}])
  const [link, setLink] = useState<string>()
  if (link !== undefined)
    return <SecretDialog onClose={onClose} secret={link} text={linkText(true)} title={`${name} is invited`} />
  return (
    <FormDialog
      action="Invite"
      isComplete={name.trim() !== '' && email.trim() !== '' && isComplete(rights)}
      onClose={onClose}
      send={async () => {
        const answer = await send('POST', '/people', {name, email, rights})
        setLink(textOf(isRecord(answer) ? answer.link : undefined))
      }}
      title="Invite a person"
    >
      <Field hint="Shown with their changes, also in Git." label="Name" onChange={setName} value={name} />
      <Field label="Email address" onChange={setEmail} type="email" value={email} />
      <RightsForm managed={managed} onChange={setRights} rights={rights} sites={sites} />
    </FormDialog>
  )
}
