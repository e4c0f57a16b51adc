import {Heading, Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {Muted} from './note.tsx'

type SectionProps = {title: string; text?: string; testId?: string; children: ReactNode}

/** One section of a pane or a page. */
export function Section({title, text, testId, children}: SectionProps) {
  return (
    <Stack data-testid={testId} gap={4}>
      <Stack gap={3}>
        <Heading as="h2" size={1}>
          {title}
        </Heading>
        {text !== undefined && <Muted>{text}</Muted>}
      </Stack>
      {children}
    </Stack>
  )
}
