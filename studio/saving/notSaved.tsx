import {Card, Stack, Text} from '@sanity/ui'
import {useCallback, useSyncExternalStore} from 'react'
import {styled} from 'styled-components'
import {refusedSaves} from './refusedSaves.ts'

/** Stays in sight while the form is scrolled. */
const Visible = styled(Card)`
  position: sticky;
  top: 12px;
  z-index: 10;
`

/** Says that the changes of a document are not saved, and why. */
export function NotSaved({documentId}: {documentId: string}) {
  const listen = useCallback((listener: () => void) => refusedSaves.listen(listener), [])
  const refusal = useSyncExternalStore(listen, () => refusedSaves.of(documentId))
  if (refusal === undefined) return null
  const isRefused = refusal.kind === 'refused'
  return (
    <Visible
      border
      data-testid="not-saved"
      marginBottom={4}
      padding={4}
      radius={2}
      role="alert"
      tone={isRefused ? 'critical' : 'caution'}
    >
      <Stack gap={3}>
        <Text size={1} weight="medium">
          Not saved: {refusal.reason ?? (isRefused ? 'the content lake refused the change.' : UNREACHABLE)}
        </Text>
        <Text size={1}>
          {isRefused
            ? 'Your text is still here: copy it before you leave this page.'
            : 'Your text is still here. Studio tries again until it is saved: leave this page open.'}
        </Text>
      </Stack>
    </Visible>
  )
}

const UNREACHABLE = 'Studio cannot reach the content lake.'
