import {Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {Link} from 'sanity/router'
import {diagnosePage} from '../../advice/diagnosis/page.ts'
import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'
import {namesOf} from '../activity/names.ts'
import {useAddresses} from '../parts/addresses.ts'
import {SelectField} from '../parts/fields.tsx'
import {Column, Section} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {CallsChart} from './chart.tsx'
import type {SiteCalls} from './report.ts'
import {WithCalls} from './state.tsx'
import {callsByDay, callsByTool, type NamedTool, ORDERS, type Order, sortTools, totalsOf} from './summary.ts'
import {CallsTable} from './table.tsx'
import type {FollowedCalls} from './useCalls.ts'

type CallsPaneProps = {
  siteId: string
  calls: FollowedCalls
  checked: CheckedSite
  documents: readonly StoredDocument[]
}

/** How often agents called the tools of a site, and what came of it. */
export function CallsPane({siteId, calls, checked, documents}: CallsPaneProps) {
  return (
    <Column testId="calls-pane">
      <WithCalls calls={calls} siteId={siteId}>
        {(value) => <Report calls={value} checked={checked} documents={documents} />}
      </WithCalls>
    </Column>
  )
}

function Report({calls, checked, documents}: Omit<CallsPaneProps, 'siteId' | 'calls'> & {calls: SiteCalls}) {
  const [order, setOrder] = useState<Order>('calls')
  const {hours, now} = calls
  const days = useMemo(() => callsByDay(hours, now), [hours, now])
  const tools = useMemo(() => callsByTool(namedTools(documents, hours), hours), [documents, hours])
  const offered = useMemo(() => offeredTools(checked), [checked])
  return (
    <Stack gap={6}>
      <Section
        title="Calls"
        text="A call fails if the tool has an error, or refuses the arguments. Pages send counts, without anything about visitors: anybody can send wrong ones."
      >
        <CallsChart days={days} totals={totalsOf(hours)} />
      </Section>
      <Section title="Tools" text="In the last 30 days. To see which errors a tool had, open it.">
        <SelectField
          label="First"
          of={ORDERS}
          onChange={(chosen) => setOrder(ORDERS.find(([known]) => known === chosen)?.[0] ?? 'calls')}
          testId="calls-order"
          value={order}
        />
        <CallsTable
          rows={sortTools(tools, order, offered).map((tool) => ({
            key: tool.id,
            head: <ToolLink tool={tool} />,
            totals: tool,
          }))}
          title="Tool"
        />
      </Section>
    </Stack>
  )
}

function ToolLink({tool: {id, type, name}}: {tool: NamedTool}) {
  const addresses = useAddresses()
  if (type === '') return name
  return (
    <Link href={addresses.calls(type, id)} style={UNDERLINED}>
      {name}
    </Link>
  )
}

/** The tools of a site by name, and those that were deleted since they were called. */
function namedTools(documents: readonly StoredDocument[], hours: SiteCalls['hours']): NamedTool[] {
  const names = namesOf(documents)
  const known = groupVersions(documents)
    .filter(({type, published}) => type !== 'site' && published !== undefined)
    .map(({id, type}) => ({id, type, name: names.get(id) ?? id}))
    .sort((a, b) => a.name.localeCompare(b.name))
  const ids = new Set(known.map(({id}) => id))
  const others = new Set(hours.flatMap(({tool}) => (ids.has(tool) ? [] : tool)))
  return [...known, ...[...others].map((id) => ({id, type: '', name: `${names.get(id) ?? id} (removed)`}))]
}

/** The IDs of tools that pages offer now. */
function offeredTools(checked: CheckedSite): Set<string> {
  const {tools} = diagnosePage(checked, undefined)
  return new Set(tools.filter(({reasons}) => reasons.length === 0).map(({id}) => id))
}
