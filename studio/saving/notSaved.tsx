import {Button, Card, Flex, Stack, Text} from '@sanity/ui'
import {useCallback, useSyncExternalStore} from 'react'
import {getValueAtPath, stringToPath} from 'sanity'
import {styled} from 'styled-components'
import {outbox, type Unsaved} from './outbox.ts'
import {isShown} from './shownChange.ts'

/** Stays in sight while the form is scrolled. */
const Visible = styled(Card)`
  position: sticky;
  top: 12px;
  z-index: 10;
`

/** Says that the changes of a document are not saved, and why. */
export function NotSaved({documentId, form}: {documentId: string; form: unknown}) {
  const listen = useCallback((listener: () => void) => outbox.listen(listener), [])
  const unsaved = useSyncExternalStore(listen, () => outbox.of(documentId))
  if (unsaved === undefined) return null
  const isHere = isShown(unsaved.last.body, (path) => getValueAtPath(form, stringToPath(path)))
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
        <Text size={1} weight="medium">
          Not saved: {unsaved.reason ?? REASONS[unsaved.kind]}
        </Text>
        <Text size={1}>
          {isHere
            ? 'Your text is still here.'
            : 'This tab keeps what you typed, and shows it once it is saved.'}{' '}
          {ADVICE[unsaved.kind]}
        </Text>
        <WayOut unsaved={unsaved} />
      </Stack>
    </Visible>
  )
}

const REASONS = {
  failed: 'Studio cannot reach the content lake.',
  refused: 'the content lake refused the change.',
  signedOut: 'you are signed out.',
}

const ADVICE = {
  failed: 'Studio tries again until it is saved: leave this page open.',
  refused: 'Studio tries again from time to time. Copy what you need before you close this tab.',
  signedOut: 'Sign in again, and Studio saves it.',
}

/** What a person can do, if waiting is not enough. */
function WayOut({unsaved: {kind, last}}: {unsaved: Unsaved}) {
  if (kind === 'failed') return null
  const signIn = () => location.assign(`/login?to=${encodeURIComponent(location.pathname)}`)
  const discard = () => {
    outbox.discard(last.documentId)
    location.reload()
  }
  return (
    <Flex>
      {kind === 'signedOut' ? (
        <Button fontSize={1} mode="ghost" padding={2} text="Sign in" onClick={signIn} />
      ) : (
        <Button fontSize={1} mode="ghost" padding={2} text="Discard what is not saved" onClick={discard} />
      )}
    </Flex>
  )
}
