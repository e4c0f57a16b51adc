import {Stack} from '@sanity/ui'
import {groupVersions, type StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {viewOfTool} from '../overview/tool/siteOfTool.tsx'
import {Section} from '../parts/section.tsx'
import {CallsChart} from './chart.tsx'
import {CallErrors} from './errors.tsx'
import {Regressions} from './regressions.tsx'
import type {SiteCalls} from './report.ts'
import {WithCalls} from './state.tsx'
import {callsByDay, totalsOf} from './summary.ts'
import {useCalls} from './useCalls.ts'

/** For a tool or form tool: how often agents called it, and what came of it. */
export const ToolCallsView = viewOfTool(
  'tool-calls',
  'Choose a site first. Calls on its pages are shown here then.',
  CallsOfTool,
)

type CallsOfToolProps = {siteId: string; documents: readonly StoredDocument[]; documentId: string}

function CallsOfTool(props: CallsOfToolProps) {
  const {siteId, documents} = props
  const site = groupVersions(documents).find(({id}) => id === siteId)
  return (
    <WithCalls calls={useCalls(siteId, site?.published)} siteId={siteId}>
      {(calls) => <Report {...props} calls={calls} />}
    </WithCalls>
  )
}

function Report({siteId, documents, documentId: toolId, calls}: CallsOfToolProps & {calls: SiteCalls}) {
  const hours = calls.hours.filter(({tool}) => tool === toolId)
  const days = callsByDay(hours, calls.now)
  return (
    <Stack gap={6}>
      <Section
        title="Calls"
        text="How often agents called this tool. A call fails if the tool has an error, or refuses the arguments."
      >
        <Regressions calls={calls} documents={documents} siteId={siteId} toolId={toolId} />
        <CallsChart days={days} totals={totalsOf(hours)} />
      </Section>
      <CallErrors errors={calls.errors.filter(({tool}) => tool === toolId)} />
    </Stack>
  )
}
