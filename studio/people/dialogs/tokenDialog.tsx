import {useState} from 'react'
import {isRecord} from '../../../schemas/rules/json.ts'
import {textOf} from '../../../schemas/rules/text.ts'
import {Field} from '../../parts/fields/field.tsx'
import type {Me} from '../access.ts'
import {managedSites, type Right, type Site} from '../roles.ts'
import {useAccessSend} from '../useAccess.ts'
import {FormDialog} from './formDialog.tsx'
import {isComplete, RightsForm} from './rightsForm.tsx'
import {SecretDialog} from './secretDialog.tsx'

/** Makes a token, and shows it once. */
export function TokenDialog({me, sites, onClose}: {me: Me; sites: readonly Site[]; onClose: () => void}) {
  const send = useAccessSend()
  const managed = managedSites(me.rights)
  const [name, setName] = useState('')
  const [rights, setRights] = useState<readonly Right[]>([{role: 'viewer', sites: managed}])
  const [token, setToken] = useState<string>()
  if (token !== undefined)
    return (
      <SecretDialog
        onClose={onClose}
        secret={token}
        text="Copy the token into the settings of the program. It is not shown again: if it gets lost, revoke it and make another one."
        title={`Token “${name}”`}
      />
    )
  return (
    <FormDialog
      action="Make a token"
      isComplete={name.trim() !== '' && isComplete(rights)}
      onClose={onClose}
      send={async () => {
        const answer = await send('POST', '/tokens', {name, rights})
        setToken(textOf(isRecord(answer) ? answer.token : undefined))
      }}
      title="Make a token"
    >
      <Field hint="What uses it, such as “Nightly import”." label="Name" onChange={setName} value={name} />
      <RightsForm isProgram managed={managed} onChange={setRights} rights={rights} sites={sites} />
    </FormDialog>
  )
}
