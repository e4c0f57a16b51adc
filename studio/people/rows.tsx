import {Badge, Card, Flex, Stack, Text} from '@sanity/ui'
import {Children, type ReactNode} from 'react'
import {RelativeTime} from 'sanity'
import type {Session} from './access.ts'

type RowsProps = {
  label: string
  testId: string
  /** One element for each row, with a key. */
  children: ReactNode
}

/** A list with a line between its rows. */
export function Rows({label, testId, children}: RowsProps) {
  return (
    <Card border overflow="hidden" radius={2}>
      <Stack aria-label={label} as="ul" data-testid={testId}>
        {Children.map(children, (row, index) => (
          <Card as="li" borderTop={index > 0} padding={3}>
            {row}
          </Card>
        ))}
      </Stack>
    </Card>
  )
}

/** A session in words: the browser, since when, and when it was used. */
export function SessionText({session: {browser, since, lastUsed, isCurrent}}: {session: Session}) {
  return (
    <Stack gap={3}>
      <Flex align="center" gap={2}>
        <Text size={1} weight="medium">
          {browser}
        </Text>
        {isCurrent && <Badge tone="positive">This browser</Badge>}
      </Flex>
      <Text muted size={1}>
        Signed in <RelativeTime time={since} useTemporalPhrase />, last used{' '}
        <RelativeTime time={lastUsed} useTemporalPhrase />
      </Text>
    </Stack>
  )
}
