import {Container} from '@sanity/ui'
import type {ReactNode} from 'react'

const AT_START = {marginInline: 0}

/** A column of a readable width, at the start of the page. */
export function Column({testId, children}: {testId: string; children: ReactNode}) {
  return (
    <Container data-testid={testId} style={AT_START} width={2}>
      {children}
    </Container>
  )
}
