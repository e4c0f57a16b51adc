import {styled} from 'styled-components'
import {visible} from '../../../schemas/rules/text.ts'
import {Table} from '../../parts/table.ts'
import type {WordRow} from './words.ts'

/** Columns side by side, or one below the other where there is no room. */
export const DiffTable = styled(Table)`
  font: 13px/1.5 Inter, system-ui, sans-serif;
  table-layout: fixed;

  &[data-code='true'] td {
    font-family: ui-monospace, SFMono-Regular, Menlo, Consolas, monospace;
  }

  & td,
  & th {
    padding: 0.15em 0.75em;
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
`

/** Parts of a field that change, in words. */
export function Words({rows, isNew}: {rows: readonly WordRow[]; isNew: boolean}) {
  const hasLabels = rows.some(({label}) => label !== '')
  return (
    <DiffTable>
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
    </DiffTable>
  )
}

/** The titles of the columns. */
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

/** A side of a change. Characters that hide what a script does are shown. */
export function Cell({text, change}: {text: string | undefined; change?: 'removed' | 'added' | undefined}) {
  return (
    <td data-change={text === undefined || text === '' ? undefined : change}>
      {text === undefined ? '' : visible(text)}
    </td>
  )
}
