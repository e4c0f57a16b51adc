import {Badge, Card, Flex, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import {Link} from 'sanity/router'
import {styled} from 'styled-components'
import {useAddresses} from '../parts/addresses.ts'
import {KindIcon} from '../parts/kindIcon.tsx'
import {Muted, Strong} from '../parts/layout.tsx'
import {Table} from '../parts/table.ts'
import {UNDERLINED} from '../parts/underlined.ts'
import type {ToolRow} from './toolRows.ts'

const ToolsTable = styled(Table)`
  & th,
  & td {
    border-top: 1px solid var(--card-border-color);
    padding: 0.75em;
    vertical-align: middle;
  }

  & thead th {
    border-top: 0;
  }

  @media (max-width: 750px) {
    & td {
      border-top: 0;
      padding-top: 0;
    }
  }
`

const COLUMNS = ['Name', 'State', 'Pages', 'Last change', 'Review']

/** The tools and form tools of a site. Each leads to its form. */
export function ToolTable({rows, siteId}: {rows: readonly ToolRow[]; siteId: string}) {
  return (
    <Card border overflow="hidden" radius={2}>
      <ToolsTable data-testid="site-tools">
        <thead>
          <tr>
            {COLUMNS.map((title) => (
              <th key={title} scope="col">
                <Text as="span" muted size={1}>
                  {title}
                </Text>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <Row key={row.id} row={row} siteId={siteId} />
          ))}
        </tbody>
      </ToolsTable>
    </Card>
  )
}

function Row({row, siteId}: {row: ToolRow; siteId: string}) {
  const {id, type, name, state, pages, changedAt, review} = row
  const addresses = useAddresses()
  return (
    <tr data-testid={`site-tool-${name}`}>
      <th scope="row">
        <Flex gap={2}>
          <KindIcon type={type} />
          <Strong>
            <Link href={addresses.tool(siteId, type, id)} style={UNDERLINED}>
              {name}
            </Link>
          </Strong>
        </Flex>
      </th>
      <td>
        <Badge title={state.title} tone={state.tone}>
          {state.label}
        </Badge>
      </td>
      <td>
        <Text size={1}>{pages}</Text>
      </td>
      <td>
        {changedAt !== '' && (
          <Muted>
            <RelativeTime time={changedAt} useTemporalPhrase />
          </Muted>
        )}
      </td>
      <td>{review !== '' && <Badge tone="primary">{review}</Badge>}</td>
    </tr>
  )
}
