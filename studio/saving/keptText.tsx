import {Card, Flex, Stack, Text} from '@sanity/ui'
import {useEffect, useLayoutEffect, useRef, useSyncExternalStore} from 'react'
import {getPublishedId, getVersionFromId, useDocumentOperation, useFormValue} from 'sanity'
import {styled} from 'styled-components'
import {SmallButton, Strong} from '../parts/layout.tsx'
import {useKeptCaret} from './keptCaret.ts'
import {outbox} from './outbox.ts'
import type {Refusal} from './saves.ts'

/**
 * Keeps what is typed in the form of a document, and where. Shows what is not saved.
 * @param id as the form has it
 */
export function KeptText({id, type}: {id: string; type: string}) {
  // Renders this with each change.
  useFormValue([])
  const documentId = getPublishedId(id)
  useKeptCaret()
  useSavesOnLeave(documentId, type, getVersionFromId(id))
  return <NotSaved documentId={documentId} />
}

/**
 * Saves what was typed in the last second before somebody leaves the page, or Studio the form: it does when a session has
 * ended. Studio itself collects changes for a second.
 */
function useSavesOnLeave(documentId: string, type: string, version: string | undefined): void {
  const {commit} = useDocumentOperation(documentId, type, version)
  const latest = useRef(commit)
  useEffect(() => {
    latest.current = commit
  }, [commit])
  // In a layout effect: when the other effects end, the form has left the document.
  useLayoutEffect(
    () => () => {
      if (!latest.current.disabled) latest.current.execute()
    },
    [],
  )
  useEffect(() => {
    const save = () => {
      if (!commit.disabled) commit.execute()
    }
    const leave = () => {
      // Some fields hand over their text only then.
      if (document.activeElement instanceof HTMLElement) document.activeElement.blur()
      save()
    }
    addEventListener('pagehide', leave)
    document.addEventListener('visibilitychange', save)
    return () => {
      removeEventListener('pagehide', leave)
      document.removeEventListener('visibilitychange', save)
    }
  }, [commit])
}

/** Stays in sight while the form is scrolled. */
const Visible = styled(Card)`
  position: sticky;
  top: 12px;
  z-index: 10;
`

/** Says that the changes of a document are not saved, and why. */
function NotSaved({documentId}: {documentId: string}) {
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
