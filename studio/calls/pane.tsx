import {DownloadIcon} from '@sanity/icons/Download'
import {Stack, Text} from '@sanity/ui'
import {type ReactNode, useMemo} from 'react'
import {Link} from 'sanity/router'
import {diagnosePage} from '../../advice/diagnosis/page.ts'
import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'
import {namesOf} from '../activity/names.ts'
import {useAddresses} from '../parts/addresses.ts'
import {Column, PaneButton, Section} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {CallsChart} from './chart.tsx'
import {toCsv} from './csv.ts'
import type {SiteCalls} from './report.ts'
import {WithCalls} from './state.tsx'
import {
  callsByDay,
  callsByTool,
  listTools,
  type NamedTool,
  SLOW_FROM,
  type ToolCalls,
  totalsOf,
} from './summary.ts'
import {CallsTable} from './table.tsx'
import type {FollowedCalls} from './useCalls.ts'
import {durationText, failedText, percentileText} from './words.ts'

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
        {(value) => <Report calls={value} checked={checked} documents={documents} siteId={siteId} />}
      </WithCalls>
    </Column>
  )
}

type ReportProps = Omit<CallsPaneProps, 'calls'> & {calls: SiteCalls}

function Report({siteId, calls, checked, documents}: ReportProps) {
  const {hours, now} = calls
  const days = useMemo(() => callsByDay(hours, now), [hours, now])
  const tools = useMemo(() => callsByTool(namedTools(documents, hours), hours), [documents, hours])
  const lists = useMemo(() => listTools(tools, offeredTools(checked)), [tools, checked])
  return (
    <Stack gap={6}>
      <Section
        title="Calls"
        text="A call fails if the tool has an error, or refuses the arguments. Pages send counts, without anything about visitors: anybody can send wrong ones."
      >
        <CallsChart days={days} totals={totalsOf(hours)} />
        <PaneButton
          icon={DownloadIcon}
          onClick={() => download(`calls-${siteId}.csv`, toCsv(hours, namesOf(documents)))}
          text="Export as CSV"
        />
      </Section>
      <ToolList
        text="Offered on pages, and not called in the last 30 days."
        title="Never called"
        tools={lists.neverCalled}
        words={() => ''}
      />
      <ToolList
        text="The highest share of failed calls first."
        title="Fails most"
        tools={lists.failsMost}
        words={failedText}
      />
      <ToolList
        text={`More than 5% of the calls took longer than ${durationText(SLOW_FROM)}.`}
        title="Slow"
        tools={lists.slow}
        words={({p95}) => `95% took ${percentileText(p95)}`}
      />
      <Section title="All tools" text="In the last 30 days.">
        <CallsTable
          rows={tools
            .toSorted((a, b) => b.calls - a.calls)
            .map((tool) => ({key: tool.id, head: <ToolLink tool={tool} />, totals: tool}))}
          title="Tool"
        />
      </Section>
    </Stack>
  )
}

/** Tools to show in a list. */
const MAX_LISTED = 10

type ToolListProps = {
  title: string
  text: string
  tools: readonly ToolCalls[]
  words: (tool: ToolCalls) => string
}

function ToolList({title, text, tools, words}: ToolListProps) {
  const rest = tools.length - MAX_LISTED
  return (
    <Section title={title} text={text}>
      <Stack as="ul" data-testid={`calls-${title.toLowerCase().replace(' ', '-')}`} gap={3}>
        {tools.slice(0, MAX_LISTED).map((tool) => (
          <Item key={tool.id}>
            <ToolLink tool={tool} />
            {words(tool) !== '' && `: ${words(tool)}`}
          </Item>
        ))}
        {rest > 0 && <Item>And {rest} more, in the table below.</Item>}
        {tools.length === 0 && <Item>No tool.</Item>}
      </Stack>
    </Section>
  )
}

function Item({children}: {children: ReactNode}) {
  return (
    <Text as="li" size={1}>
      {children}
    </Text>
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

function download(name: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], {type: 'text/csv'}))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  URL.revokeObjectURL(url)
}
