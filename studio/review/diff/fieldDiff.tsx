import {Card, Stack} from '@sanity/ui'
import {structuredPatch} from 'diff'
import {useMemo} from 'react'
import {CODE_FIELDS} from '../../inputs/code/codeDiff.tsx'
import {Details, Strong} from '../../parts/layout.tsx'
import type {FieldChange} from '../changes.ts'
import {Cell, DiffTable, Words} from './diffTable.tsx'
import {wordRows} from './words.ts'

type FieldDiffProps = {
  change: FieldChange
  title: string
  /** Whether the document is new: then there is nothing to compare with. */
  isNew: boolean
  siteNames: ReadonlyMap<string, string>
}

/** What a change does to a field: in words, or text and code line by line. */
export function FieldDiff({change, title, isNew, siteNames}: FieldDiffProps) {
  const rows = useMemo(() => wordRows(change, siteNames), [change, siteNames])
  return (
    <Stack data-testid={`review-field-${change.field}`} gap={3}>
      <Strong>{title}</Strong>
      <Card border overflow="auto" radius={2}>
        {rows === undefined ? (
          <TextDiff change={change} isNew={isNew} />
        ) : (
          <Words isNew={isNew} rows={rows} />
        )}
      </Card>
      {rows !== undefined && isStructured(change) && (
        <Details title="As it is stored">
          <Card border overflow="auto" radius={2}>
            <TextDiff change={change} isNew={isNew} />
          </Card>
        </Details>
      )}
    </Stack>
  )
}

/** Whether words may leave something out, such as the order of members. */
function isStructured({before, after}: FieldChange): boolean {
  return [before, after].some((value) => typeof value === 'object' || typeof value === 'string')
}

/** Lines around a change that are shown. */
const CONTEXT = 4

function TextDiff({change, isNew}: {change: FieldChange; isNew: boolean}) {
  const [before, after] = [textOf(change.before), textOf(change.after)]
  const {hunks} = structuredPatch('', '', before, after, '', '', {context: CONTEXT})
  return (
    <DiffTable data-code={CODE_FIELDS.includes(change.field)}>
      <tbody>
        {isNew ? (
          <tr>
            <Cell text={after} />
          </tr>
        ) : (
          hunks.flatMap(({oldStart, lines}) => [
            <tr key={oldStart}>
              <th scope="rowgroup">From line {oldStart}</th>
            </tr>,
            ...lines.map((line, index) => (
              <tr key={`${oldStart} ${String(index)}`}>
                <Cell change={CHANGES.get(line.charAt(0))} text={line.slice(1)} />
              </tr>
            )),
          ])
        )}
      </tbody>
    </DiffTable>
  )
}

/** What the first character of a line says in a unified diff. */
const CHANGES: ReadonlyMap<string, 'removed' | 'added'> = new Map([
  ['-', 'removed'],
  ['+', 'added'],
])

/** Ends each line alike: a last line without its end would differ from the same line with one. */
function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  const text = typeof value === 'string' ? value : JSON.stringify(value, null, 2)
  return text === '' ? '' : `${text.replaceAll(/\r\n?/g, '\n').replace(/\n$/, '')}\n`
}
