import {Card, type CardTone, Text} from '@sanity/ui'
import type {ReactNode} from 'react'

/** A status message. */
export function Note({tone = 'default', children}: {tone?: CardTone; children: ReactNode}) {
  return (
    <Card border padding={3} radius={2} role="status" tone={tone}>
      <Text size={1}>{children}</Text>
    </Card>
  )
}

/** Text that explains what it is next to. */
export function Muted({children}: {children: ReactNode}) {
  return (
    <Text muted size={1}>
      {children}
    </Text>
  )
}

/** A name, or the title of what is below it. */
export function Strong({id, children}: {id?: string; children: ReactNode}) {
  return (
    <Text id={id} size={1} weight="medium">
      {children}
    </Text>
  )
}
