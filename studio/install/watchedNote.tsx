import {Stack, Text} from '@sanity/ui'
import type {Watched} from '../live/watched.ts'
import {Note} from '../parts/layout.tsx'
import type {Cause} from './causes.ts'

type WatchedNoteProps<T> = {
  of: Watched<T>
  waiting: string
  seen: (value: T) => string
  silent: string
}

/** Says what became of a page that was opened. */
export function WatchedNote<T>({of: watched, waiting, seen, silent}: WatchedNoteProps<T>) {
  switch (watched.state) {
    case 'waiting':
      return <Note>{waiting}</Note>
    case 'seen':
      return <Note tone="positive">{seen(watched.value)}</Note>
    case 'failed':
      return <Note tone="caution">Studio cannot tell what the page shows. {watched.problem}</Note>
    case 'silent':
      return <Note tone="caution">{silent}</Note>
  }
}

/** What to check. */
export function Causes({of}: {of: readonly Cause[]}) {
  return (
    <Stack as="ul" gap={3} paddingLeft={4} style={{listStyle: 'disc'}}>
      {of.map(([cause, remedy]) => (
        <Text as="li" key={cause} muted size={1} style={{display: 'list-item'}}>
          <strong>{cause}</strong> {remedy}
        </Text>
      ))}
    </Stack>
  )
}
