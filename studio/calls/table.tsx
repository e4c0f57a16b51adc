import type {ReactNode} from 'react'
import {styled} from 'styled-components'
import type {Totals} from './summary.ts'
import {countText, percentileText} from './words.ts'

const Table = styled.table`
  border-collapse: collapse;
  color: var(--card-fg-color);
  font: 13px/1.5 Inter, system-ui, sans-serif;
  width: 100%;

  & th,
  & td {
    border-top: 1px solid var(--card-border-color);
    font-weight: normal;
    padding: 0.4em 0.75em 0.4em 0;
    text-align: start;
  }

  & a {
    color: var(--card-link-color);
  }

  & tbody th {
    overflow-wrap: anywhere;
  }

  & thead th {
    border-top: 0;
    color: var(--card-muted-fg-color);
  }
`

type CallsTableProps = {
  /** What the rows are. */
  title: string
  rows: readonly {readonly key: string | number; readonly head: ReactNode; readonly totals: Totals}[]
}

/** Calls of days or tools as a table. */
export function CallsTable({title, rows}: CallsTableProps) {
  return (
    <Table>
      <thead>
        <tr>
          {[title, 'Calls', 'Failed', 'Half took', '95% took'].map((column) => (
            <th key={column} scope="col">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({key, head, totals: {calls, failed, p50, p95}}) => (
          <tr key={key}>
            <th scope="row">{head}</th>
            <td>{countText(calls)}</td>
            <td>{countText(failed)}</td>
            <td>{percentileText(p50)}</td>
            <td>{percentileText(p95)}</td>
          </tr>
        ))}
      </tbody>
    </Table>
  )
}
