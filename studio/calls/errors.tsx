import {Stack, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import type {CallError} from '../../schemas/calls/counts.ts'
import {Muted} from '../parts/note.tsx'
import {Rows} from '../parts/rows.tsx'
import {Section} from '../parts/section.tsx'
import {countText} from './words.ts'

/** Errors to show. */
const MAX_SHOWN = 10

/** The errors that calls of a tool had, the most frequent first. */
export function CallErrors({errors}: {errors: readonly CallError[]}) {
  if (errors.length === 0) return null
  return (
    <Section
      title="Errors"
      text="Texts are shown if they are in the tool’s script, and several calls had them. Others could repeat what an agent sent."
    >
      <Rows>
        {errors
          .toSorted((a, b) => b.count - a.count)
          .slice(0, MAX_SHOWN)
          .map(({hash, text, count, lastHour}) => (
            <Stack gap={3} key={hash}>
              <Text size={1} style={{overflowWrap: 'anywhere'}}>
                {text ?? `Error ${hash.slice(0, 8)}, not shown`}
              </Text>
              <Muted>
                {countText(count)} {count === 1 ? 'call' : 'calls'}, last{' '}
                <RelativeTime time={lastHour} useTemporalPhrase />
              </Muted>
            </Stack>
          ))}
      </Rows>
    </Section>
  )
}
