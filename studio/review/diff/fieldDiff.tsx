import {Card, Stack, Text} from '@sanity/ui'
import {useMemo} from 'react'
import {styled} from 'styled-components'
import {visible} from '../../../schemas/changes/visible.ts'
import {CODE_FIELDS} from '../../codeFields.ts'
import type {FieldChange} from '../changes.ts'
import {diffRows} from './diffRows.ts'
import {type WordRow, wordRows} from './words.ts'

/** Two columns side by side, or one below the other where there is no room. */
const Table = styled.table`
  border-collapse: collapse;
  font: 13px/1.5 Inter, system-ui, sans-serif;
  table-layout: fixed;
  width: 100%;

  &[data-code='true'] td {
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  }

  & td,
  & th {
    font-weight: normal;
    overflow-wrap: anywhere;
    padding: 0.15em 0.75em;
    text-align: start;
    vertical-align: top;
    white-space: pre-wrap;
  }

  & thead th {
    opacity: 0.8;
    padding-block: 0.5em;
  }

  & tbody[data-words='true'] > tr > * {
    border-top: 1px solid var(--card-border-color);
    padding-block: 0.5em;
  }

  & td[data-change='removed'] {
    background: var(--card-badge-critical-bg-color, rgb(255 0 0 / 15%));
  }

  & td[data-change='added'] {
    background: var(--card-badge-positive-bg-color, rgb(0 160 0 / 15%));
  }

  @media (max-width: 750px) {
    & thead {
      clip-path: inset(50%);
      position: absolute;
    }

    & tr,
    & th,
    & td {
      display: block;
    }

    & td:empty,
    & tr[data-same='true'] > td:last-child {
      display: none;
    }
  }
`

/** Next to the marker of the details. */
const INLINE = {display: 'inline-block'} as const

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
      <Text size={1} weight="medium">
        {title}
      </Text>
      <Card border overflow="auto" radius={2}>
        {rows === undefined ? (
          <TextDiff change={change} isNew={isNew} />
        ) : (
          <Words isNew={isNew} rows={rows} />
        )}
      </Card>
      {rows !== undefined && isStructured(change) && (
        <details>
          <summary>
            <Text as="span" muted size={1} style={INLINE}>
              As it is stored
            </Text>
          </summary>
          <Card border marginTop={2} overflow="auto" radius={2}>
            <TextDiff change={change} isNew={isNew} />
          </Card>
        </details>
      )}
    </Stack>
  )
}

/** Whether words may leave something out, such as the order of members. */
function isStructured({before, after}: FieldChange): boolean {
  return [before, after].some((value) => typeof value === 'object' || typeof value === 'string')
}

function Words({rows, isNew}: {rows: readonly WordRow[]; isNew: boolean}) {
  const hasLabels = rows.some(({label}) => label !== '')
  return (
    <Table>
      <Head hasLabels={hasLabels} isNew={isNew} />
      <tbody data-words={hasLabels}>
        {rows.map(({label, before, after}) => (
          <tr key={label}>
            {hasLabels && <th scope="row">{visible(label)}</th>}
            {!isNew && <Cell change="removed" text={before} />}
            <Cell change={isNew ? undefined : 'added'} text={after} />
          </tr>
        ))}
      </tbody>
    </Table>
  )
}

function TextDiff({change, isNew}: {change: FieldChange; isNew: boolean}) {
  const [before, after] = [textOf(change.before), textOf(change.after)]
  return (
    <Table data-code={CODE_FIELDS.includes(change.field)}>
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
    </Table>
  )
}

function Head({hasLabels, isNew}: {hasLabels: boolean; isNew: boolean}) {
  return (
    <thead>
      <tr>
        {hasLabels && <th scope="col">Part</th>}
        {!isNew && <th scope="col">Published</th>}
        <th scope="col">After this change</th>
      </tr>
    </thead>
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

/** A side of a change. Characters that hide what a script does are shown. */
function Cell({text, change}: {text: string | undefined; change?: 'removed' | 'added' | undefined}) {
  return (
    <td data-change={text === undefined || text === '' ? undefined : change}>
      {text === undefined ? '' : visible(text)}
    </td>
  )
}

function textOf(value: unknown): string {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : JSON.stringify(value, null, 2)
}
