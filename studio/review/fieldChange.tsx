import {Card, Stack, Text} from '@sanity/ui'
import {styled} from 'styled-components'
import {visible} from '../../schemas/changes/visible.ts'
import {CODE_FIELDS} from '../codeFields.ts'
import type {FieldChange} from './changes.ts'
import {diffRows} from './diffRows.ts'

const Table = styled.table`
  border-collapse: collapse;
  font: 12px/1.5 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  table-layout: fixed;
  width: 100%;

  & td,
  & th {
    font-weight: normal;
    overflow-wrap: anywhere;
    padding: 0 0.5em;
    text-align: start;
    vertical-align: top;
    white-space: pre-wrap;
    width: 50%;
  }

  & th {
    font-family: inherit;
    padding-block: 0.25em;
  }

  & td[data-change='removed'] {
    background: var(--card-badge-critical-bg-color, rgb(255 0 0 / 15%));
  }

  & td[data-change='added'] {
    background: var(--card-badge-positive-bg-color, rgb(0 160 0 / 15%));
  }
`

/** What a change does to a field: code side by side, anything else as it was and as it will be. */
export function FieldDiff({change, title}: {change: FieldChange; title: string}) {
  const isCode = CODE_FIELDS.includes(change.field)
  const [before, after] = [textOf(change.before), textOf(change.after)]
  const isLong = isCode || before.includes('\n') || after.includes('\n')
  return (
    <Stack data-testid={`review-field-${change.field}`} gap={3}>
      <Text size={1} weight="medium">
        {title}
      </Text>
      <Card border overflow="auto" radius={2}>
        <Table>
          <thead>
            <tr>
              <th scope="col">Published</th>
              <th scope="col">After this change</th>
            </tr>
          </thead>
          <tbody>
            {isLong ? (
              <Lines after={after} before={before} />
            ) : (
              <Row after={after} before={before} isChanged />
            )}
          </tbody>
        </Table>
      </Card>
    </Stack>
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
      <Row key={index} {...row} />
    ),
  )
}

type RowProps = {before: string | undefined; after: string | undefined; isChanged: boolean}

function Row({before, after, isChanged}: RowProps) {
  return (
    <tr>
      <td data-change={isChanged && before !== undefined && before !== '' ? 'removed' : undefined}>
        {shown(before)}
      </td>
      <td data-change={isChanged && after !== undefined && after !== '' ? 'added' : undefined}>
        {shown(after)}
      </td>
    </tr>
  )
}

/** Characters that hide what a script does are shown. */
function shown(line: string | undefined): string {
  return line === undefined ? '' : visible(line)
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
