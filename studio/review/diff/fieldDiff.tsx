import {Card, Stack} from '@sanity/ui'
import {useMemo} from 'react'
import {CODE_FIELDS} from '../../inputs/code/codeDiff.tsx'
import {Details, Strong} from '../../parts/layout.tsx'
import type {FieldChange} from '../changes.ts'
import {diffRows} from './diffRows.ts'
import {Cell, DiffTable, Head, Words} from './diffTable.tsx'
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

function TextDiff({change, isNew}: {change: FieldChange; isNew: boolean}) {
  const [before, after] = [textOf(change.before), textOf(change.after)]
  return (
    <DiffTable data-code={CODE_FIELDS.includes(change.field)}>
      <Head hasLabels={false} isNew={isNew} />
      <tbody>
        {isNew ? (
          <tr>
            <Cell text={after} />
          </tr>
        ) : (
          <Lines after={after} before={before} />
        )}
      </tbody>
    </DiffTable>
  )
}

function Lines({before, after}: {before: string; after: string}) {
  return diffRows(before, after).map((row, index) =>
    'skipped' in row ? (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a diff have no other identity
      <tr key={index}>
        <td colSpan={2}>⋯ {row.skipped === 1 ? 'one unchanged line' : `${row.skipped} unchanged lines`}</td>
      </tr>
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the rows of a diff have no other identity
      <tr data-same={!row.isChanged} key={index}>
        <Cell change={row.isChanged ? 'removed' : undefined} text={row.before} />
        <Cell change={row.isChanged ? 'added' : undefined} text={row.after} />
      </tr>
    ),
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
