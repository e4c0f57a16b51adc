import {Card, Flex, Stack, Text} from '@sanity/ui'
import {useSyncExternalStore} from 'react'
import {styled} from 'styled-components'
import {Strong} from '../parts/note.tsx'
import {SmallButton} from '../parts/smallButton.tsx'
import {outbox} from './outbox.ts'
import type {Refusal} from './saves.ts'

/** Stays in sight while the form is scrolled. */
const Visible = styled(Card)`
  position: sticky;
  top: 12px;
  z-index: 10;
`

/** Says that the changes of a document are not saved, and why. */
export function NotSaved({documentId}: {documentId: string}) {
  const unsaved = useSyncExternalStore(outbox.listen, () => outbox.of(documentId))
  const isKept = useSyncExternalStore(outbox.listen, () => outbox.keeps(documentId))
  if (unsaved === undefined) return null
  return (
    <Visible
      border
      data-testid="not-saved"
      marginBottom={4}
      padding={4}
      radius={2}
      role="alert"
      tone={unsaved.kind === 'failed' ? 'caution' : 'critical'}
    >
      <Stack gap={3}>
        <Strong>Not saved: {unsaved.reason ?? REASONS[unsaved.kind]}</Strong>
        <Text size={1}>
          {isKept ? 'This tab keeps what you typed.' : NOT_KEPT} {ADVICE[unsaved.kind]}
        </Text>
        <WayOut documentId={documentId} kind={unsaved.kind} />
      </Stack>
    </Visible>
  )
}

const REASONS = {
  failed: 'Studio cannot reach the content lake.',
  refused: 'the content lake refused the change.',
  signedOut: 'you are signed out.',
}

/** The storage of the tab is full. */
const NOT_KEPT =
  'Copy what you typed before you reload or close this tab: the browser has no room to keep it.'

const ADVICE = {
  failed: 'Studio tries again until it is saved: leave this page open.',
  refused: 'Studio tries again from time to time. Copy what you need before you close this tab.',
  signedOut: 'Sign in again, and Studio saves it.',
}

/** What a person can do, if waiting is not enough. */
function WayOut({documentId, kind}: {documentId: string; kind: Refusal['kind']}) {
  if (kind === 'failed') return null
  const signIn = () => location.assign(`/login?to=${encodeURIComponent(location.pathname)}`)
  const discard = () => {
    outbox.discard(documentId)
    location.reload()
  }
  return (
    <Flex>
      {kind === 'signedOut' ? (
        <SmallButton onClick={signIn} text="Sign in" />
      ) : (
        <SmallButton onClick={discard} text="Discard what is not saved" />
      )}
    </Flex>
  )
}
