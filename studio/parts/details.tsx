import {Box, Text} from '@sanity/ui'
import type {ReactNode} from 'react'

/** What is shown when somebody opens it. */
export function Details({title, children}: {title: string; children: ReactNode}) {
  return (
    <details>
      <summary>
        <Text as="span" size={1} style={{display: 'inline-block'}}>
          {title}
        </Text>
      </summary>
      <Box paddingTop={3}>{children}</Box>
    </details>
  )
}
