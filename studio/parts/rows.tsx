import {Card, Stack} from '@sanity/ui'
import {Children, type ReactNode} from 'react'

type RowsProps = {
  label?: string
  testId?: string
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
