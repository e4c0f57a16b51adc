import {Stack} from '@sanity/ui'
import {useMemo} from 'react'
import {Link} from 'sanity/router'
import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'
import {namesOf} from '../activity/names.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Column, PaneButton, Section} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {CallsChart} from './chart.tsx'
import type {SiteCalls} from './report.ts'
import {WithCalls} from './state.tsx'
import {callsByDay, callsByTool, type NamedTool, toCsv, totalsOf} from './summary.ts'
import {CallsTable} from './table.tsx'
import type {FollowedCalls} from './useCalls.ts'

type CallsPaneProps = {
  siteId: string
  calls: FollowedCalls
  documents: readonly StoredDocument[]
}

/** How often agents called the tools of a site, and what came of it. */
export function CallsPane({siteId, calls, documents}: CallsPaneProps) {
  return (
    <Column testId="calls-pane">
      <WithCalls calls={calls} siteId={siteId}>
        {(value) => <Report calls={value} documents={documents} />}
      </WithCalls>
    </Column>
  )
}

function Report({calls, documents}: {calls: SiteCalls; documents: readonly StoredDocument[]}) {
  const {hours, now} = calls
  const days = useMemo(() => callsByDay(hours, now), [hours, now])
  const tools = useMemo(() => callsByTool(namedTools(documents, hours), hours), [documents, hours])
  return (
    <Stack gap={6}>
      <Section
        title="Calls"
        text="A call fails if the tool has an error, or refuses the arguments. Pages send counts, without anything about visitors: anybody can send wrong ones."
      >
        <CallsChart days={days} totals={totalsOf(hours)} />
      </Section>
      <Section title="Tools" text="In the last 30 days. To see which errors a tool had, open it.">
        <CallsTable
          rows={tools.map((tool) => ({
            key: tool.id,
            head: <ToolLink tool={tool} />,
            totals: tool,
          }))}
          title="Tool"
        />
        <PaneButton onClick={() => saveCsv(toCsv(hours, tools))} text="Save the calls of each hour as CSV" />
      </Section>
    </Stack>
  )
}

/** Saves a table as a file. The address of a link may not hold all calls of a month. */
function saveCsv(text: string): void {
  const href = URL.createObjectURL(new Blob([text], {type: 'text/csv'}))
  Object.assign(document.createElement('a'), {href, download: 'calls.csv'}).click()
  URL.revokeObjectURL(href)
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
