import {AddIcon} from '@sanity/icons/Add'
import {Flex, Stack, Text} from '@sanity/ui'
import {useState} from 'react'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {ConfirmDialog} from '../parts/dialog.tsx'
import {Field} from '../parts/fields.tsx'
import {Muted, Note, PaneButton, Rows, Section, SmallButton, Strong} from '../parts/layout.tsx'
import {
  byName,
  type Me,
  managedSites,
  type People,
  type Right,
  rightsText,
  type Site,
  type Token,
  useAccess,
  useChange,
} from './access.ts'
import {isComplete, RightsForm} from './dialogs/rightsForm.tsx'
import {SecretDialog} from './dialogs/secretDialog.tsx'

/** The tokens of programs, for administrators. */
export function TokenList({me, sites}: {me: Me; sites: readonly Site[]}) {
  const loaded = useAccess<People>('/people')
  const {change} = useChange(loaded.reload)
  const [isMaking, setMaking] = useState(false)
  const [revoking, setRevoking] = useState<Token>()
  if (loaded.state !== 'answered') return <NotLoaded of={loaded} />
  const tokens = loaded.value.tokens.toSorted(byName)
  return (
    <Section
      text="A token lets a program read or change content, such as a build or an import. Give it no more than it needs."
      title="Tokens"
    >
      <PaneButton
        data-testid="make-token"
        mode="default"
        icon={AddIcon}
        onClick={() => setMaking(true)}
        text="Make a token"
      />
      {tokens.length === 0 ? (
        <Note>There is no token. Tokens in the settings of the server are not listed here.</Note>
      ) : (
        <Rows label="Tokens" testId="token-list">
          {tokens.map((token) => (
            <Flex align="center" gap={4} justify="space-between" key={token.id} wrap="wrap">
              <Stack gap={3}>
                <Strong>{token.name}</Strong>
                <Muted>{rightsText(token.rights, sites)}</Muted>
              </Stack>
              {token.mayManage && (
                <SmallButton
                  aria-label={`Revoke: ${token.name}`}
                  onClick={() => setRevoking(token)}
                  text="Revoke"
                  tone="critical"
                />
              )}
            </Flex>
          ))}
        </Rows>
      )}
      {isMaking && (
        <TokenDialog
          me={me}
          onClose={() => {
            setMaking(false)
            loaded.reload()
          }}
          sites={sites}
        />
      )}
      {revoking !== undefined && (
        <ConfirmDialog
          action="Revoke"
          onClose={() => setRevoking(undefined)}
          onConfirm={() => change('DELETE', `/tokens/${revoking.id}`, `“${revoking.name}” is revoked`)}
          title={`Revoke “${revoking.name}”`}
        >
          <Text size={1}>The program that uses this token is refused at once. This cannot be undone.</Text>
        </ConfirmDialog>
      )}
    </Section>
  )
}

/** Makes a token, and shows it once. */
function TokenDialog({me, sites, onClose}: {me: Me; sites: readonly Site[]; onClose: () => void}) {
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
