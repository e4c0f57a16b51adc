import {Container, Stack, Text} from '@sanity/ui'
import {RelativeTime} from 'sanity'
import type {UserViewComponent} from 'sanity/structure'
import type {CallError} from '../../schemas/calls/counts.ts'
import {groupVersions, parseDocuments, type StoredDocument, siteOf} from '../../schemas/documents.ts'
import {NotLoaded, useCheckedSite} from '../live/useCheckedSite.tsx'
import {Muted, Note, Rows, Section} from '../parts/layout.tsx'
import {ToolSeen} from '../visits/seen.tsx'
import {CallsChart} from './chart.tsx'
import {Regressions} from './regressions.tsx'
import type {SiteCalls} from './report.ts'
import {WithCalls} from './state.tsx'
import {callsByDay, totalsOf} from './summary.ts'
import {useCalls} from './useCalls.ts'
import {countText} from './words.ts'

/** For a tool or form tool: how often agents called it, and what came of it. */
export const ToolCallsView: UserViewComponent = ({document, documentId}) => {
  const [displayed] = parseDocuments([document.displayed])
  const siteId = siteOf(displayed)
  const live = useCheckedSite(siteId)
  return (
    <Container data-testid="tool-calls" width={1} paddingX={4} paddingY={5}>
      {siteId === undefined ? (
        <Note tone="caution">Choose a site first. Calls on its pages are shown here then.</Note>
      ) : live.state === 'ready' ? (
        <CallsOfTool documentId={documentId} documents={live.documents} siteId={siteId} />
      ) : (
        <NotLoaded of={live} />
      )}
    </Container>
  )
}

type CallsOfToolProps = {siteId: string; documents: readonly StoredDocument[]; documentId: string}

function CallsOfTool(props: CallsOfToolProps) {
  const {siteId, documents, documentId} = props
  const site = groupVersions(documents).find(({id}) => id === siteId)?.published
  return (
    <Stack gap={4}>
      <ToolSeen publicId={site?.publicId} siteId={siteId} toolId={documentId} />
      <WithCalls calls={useCalls(siteId, site)} siteId={siteId}>
        {(calls) => <Report {...props} calls={calls} />}
      </WithCalls>
    </Stack>
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

/** Errors to show. */
const MAX_SHOWN = 10

/** The errors that calls of a tool had, the most frequent first. */
function CallErrors({errors}: {errors: readonly CallError[]}) {
  if (errors.length === 0) return null
  return (
    <Section
      title="Errors"
      text="Texts are shown if they are in the tool’s script, and several calls had them. Others could repeat what an agent sent."
    >
      <Rows>
        {errors
          .toSorted((a, b) => b.count - a.count)
          .slice(0, MAX_SHOWN)
          .map(({hash, text, count, lastHour}) => (
            <Stack gap={3} key={hash}>
              <Text size={1} style={{overflowWrap: 'anywhere'}}>
                {text ?? `Error ${hash.slice(0, 8)}, not shown`}
              </Text>
              <Muted>
                {countText(count)} {count === 1 ? 'call' : 'calls'}, last{' '}
                <RelativeTime time={lastHour} useTemporalPhrase />
              </Muted>
            </Stack>
          ))}
      </Rows>
    </Section>
  )
}
