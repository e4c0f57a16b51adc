import {Heading, Stack} from '@sanity/ui'
import type {ReactNode} from 'react'
import {Muted} from './note.tsx'

type SectionProps = {
  title: string
  text: string
  /** The level of the heading above it, plus one. */
  heading?: 'h2' | 'h3'
  children: ReactNode
}

/** One section of a pane or a page. */
export function Section({title, text, heading = 'h2', children}: SectionProps) {
  return (
    <Stack gap={4}>
      <Stack gap={3}>
        <Heading as={heading} size={1}>
          {title}
        </Heading>
        <Muted>{text}</Muted>
      </Stack>
      {children}
    </Stack>
  )
}
