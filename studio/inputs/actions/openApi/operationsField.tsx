import {Card, Stack} from '@sanity/ui'
import {useState} from 'react'
import type {Operation} from '../../../../making/openApi.ts'
import {Field} from '../../../parts/fields/field.tsx'
import {Tick} from '../../../parts/fields/tick.tsx'
import {Muted} from '../../../parts/note.tsx'

/** Rows that are drawn at once: large APIs have a thousand operations. */
const MOST_ROWS = 100

type OperationsFieldProps = {
  operations: readonly Operation[]
  ticked: readonly string[]
  onToggle: (id: string) => void
}

/** The operations of an API, to be ticked. */
export function OperationsField({operations, ticked, onToggle}: OperationsFieldProps) {
  const [words, setWords] = useState('')
  const wanted = words.toLowerCase().split(/\s+/)
  const found = operations.filter(({id, summary}) => {
    const text = `${id} ${summary}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  const left = found.length - MOST_ROWS
  return (
    <Stack gap={3}>
      <Field label={`Operations: find among ${operations.length}`} onChange={setWords} value={words} />
      <Card border padding={3} radius={2} style={{maxHeight: '16rem', overflowY: 'auto'}} tabIndex={0}>
        <Stack data-testid="operations" gap={3}>
          {found.slice(0, MOST_ROWS).map(({id, summary}) => (
            <Tick checked={ticked.includes(id)} key={id} onChange={() => onToggle(id)}>
              {summary === '' ? id : `${id}: ${summary}`}
            </Tick>
          ))}
          {found.length === 0 && <Muted>No operation has these words.</Muted>}
          {left > 0 && <Muted>{left} more: type a word of theirs.</Muted>}
        </Stack>
      </Card>
    </Stack>
  )
}
