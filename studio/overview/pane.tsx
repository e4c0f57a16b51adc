import {LaunchIcon} from '@sanity/icons/Launch'
import {Badge, Box, Card, Flex, Heading, Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {Link} from 'sanity/router'
import {diagnosePage, knownPaths, type ToolOnPage} from '../../advice/diagnosis/page.ts'
import {type Reason, stateOf} from '../../advice/diagnosis/reasons.ts'
import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {
  conditionsOf,
  describeDraft,
  describeSite,
  explain,
  STATE_TITLES,
} from '../../advice/diagnosis/words.ts'
import {advisePage} from '../../advice/site/pages.ts'
import {groupVersions, type Versions} from '../../schemas/documents.ts'
import {normalizePath} from '../../schemas/rules/paths/normalizePath.ts'
import {parsePage, type TypedPage} from '../../schemas/rules/paths/page.ts'
import {parsePublicId} from '../../schemas/rules/publicId.ts'
import {describeFreshness} from '../install/freshness.ts'
import {fetchServed} from '../install/service.ts'
import {addressesOfSite} from '../install/siteAddresses.ts'
import type {Answer} from '../live/answer.ts'
import {useAnswer} from '../live/useAnswer.ts'
import {NotLoaded, useCheckedSite} from '../live/useCheckedSite.tsx'
import {useRelease} from '../live/useContent.ts'
import {useAddresses} from '../parts/addresses.ts'
import {PageNote, PathField} from '../parts/fields.tsx'
import {KindIcon} from '../parts/kindIcon.tsx'
import {Column, Muted, Note, PaneButton, Rows, Strong} from '../parts/layout.tsx'
import {PreviewDialog} from '../preview/dialog.tsx'

/** For a page that a person chooses: every tool of the site, whether it is offered there, and why not. */
export function PagePane({siteId}: {siteId: string}) {
  const live = useCheckedSite(siteId, useRelease()?.name)
  return (
    <Column testId="page-pane">
      {live.state === 'ready' ? (
        <Chosen
          checked={live.site}
          site={groupVersions(live.documents).find(({id}) => id === siteId)}
          siteId={siteId}
        />
      ) : (
        <NotLoaded of={live} />
      )}
    </Column>
  )
}

type ChosenProps = {checked: CheckedSite; site: Versions | undefined; siteId: string}

function Chosen(props: ChosenProps) {
  const paths = useMemo(() => knownPaths(props.checked), [props.checked])
  const [typed, setTyped] = useState(() => paths[0] ?? '/')
  const page = parsePage(typed, addressesOfSite(props.site?.draft ?? props.site?.published))
  return (
    <Stack gap={5}>
      <PathField hint="What follows changes as you type." onChange={setTyped} path={typed} paths={paths} />
      <PageNote page={page} />
      {page.ok && <Offers {...props} page={page.value} />}
    </Stack>
  )
}

/** What a page offers, and what not. */
function Offers({checked, page, site, siteId}: ChosenProps & {page: TypedPage}) {
  const [isOpening, setOpening] = useState(false)
  const path = normalizePath(page.path)
  const {tools, siteReasons} = useMemo(() => diagnosePage(checked, page.path), [checked, page.path])
  const offered = tools.filter(({reasons}) => reasons.length === 0)
  const others = tools.filter(({reasons}) => reasons.length > 0)
  const advice = useMemo(() => advisePage(path, offered), [path, offered])
  return (
    <>
      <PaneButton
        data-testid="page-open"
        icon={LaunchIcon}
        onClick={() => setOpening(true)}
        text="Open this page with drafts"
      />
      {isOpening && (
        <PreviewDialog onClose={() => setOpening(false)} path={page.path + page.query} siteId={siteId} />
      )}
      {siteReasons.map((reason) => (
        <Note key={reason.code} tone="caution">
          {describeSite(reason)}
        </Note>
      ))}
      {page.elsewhere === undefined && (
        <ServedNote
          expected={offered}
          path={page.path}
          pollInterval={site?.published?.pollInterval}
          publicId={site?.published?.publicId}
        />
      )}
      {advice
        .filter(({id}) => id === undefined)
        .map(({advice: {code, message}}) => (
          <Note key={code} tone="caution">
            {message}
          </Note>
        ))}
      <Tools advice={advice} siteId={siteId} title={`Offered on ${path}`} tools={offered} />
      <Tools advice={[]} siteId={siteId} title={`Not offered on ${path}`} tools={others} />
    </>
  )
}

type ToolsProps = {
  siteId: string
  advice: ReturnType<typeof advisePage>
  title: string
  tools: readonly ToolOnPage[]
}

function Tools({advice, siteId, title, tools}: ToolsProps) {
  return (
    <Stack gap={3}>
      <Flex align="center" gap={2}>
        <Heading as="h2" size={1}>
          {title}
        </Heading>
        <Muted>{tools.length}</Muted>
      </Flex>
      {tools.length === 0 ? (
        <Muted>None.</Muted>
      ) : (
        <Rows>
          {tools.map((tool) => (
            <ToolRow
              advice={advice.filter(({id}) => id === tool.id).map(({advice: {message}}) => message)}
              key={tool.id}
              siteId={siteId}
              tool={tool}
            />
          ))}
        </Rows>
      )}
    </Stack>
  )
}

/** A tool in the list of a page, which leads to its form. */
function ToolRow({tool, siteId, advice}: {tool: ToolOnPage; siteId: string; advice: readonly string[]}) {
  const addresses = useAddresses()
  return (
    <div data-testid={`page-tool-${tool.name}`}>
      <Card as={Link} data-as="a" href={addresses.tool(siteId, tool.type, tool.id)}>
        <Flex gap={3}>
          <Box paddingY={1}>
            <KindIcon type={tool.type} />
          </Box>
          <ToolState advice={advice} title={tool.name} tool={tool} />
        </Flex>
      </Card>
    </div>
  )
}

type ToolStateProps = {
  title: string
  tool: ToolOnPage
  advice: readonly string[]
}

/** The state of a tool on a page: why the page does not offer it, what its draft will change, and advice. */
function ToolState(props: ToolStateProps) {
  const {title, tool, advice} = props
  const draft = describeDraft(tool)
  const lines = [...explain(tool), ...conditionsOf(tool), ...(draft === undefined ? [] : [draft]), ...advice]
  return (
    <Stack flex={1} gap={3}>
      <Flex align="center" gap={2} justify="space-between" wrap="wrap">
        <Strong>{title}</Strong>
        <StateBadge reasons={tool.reasons} />
      </Flex>
      {lines.map((line) => (
        <Muted key={line}>{line}</Muted>
      ))}
    </Stack>
  )
}

const TONES = {offered: 'positive', invalid: 'critical', nameTaken: 'caution'} as const

/** The state of a tool on a page in one or two words. */
function StateBadge({reasons}: {reasons: readonly Reason[]}) {
  const state = stateOf(reasons)
  const tone = state === 'offered' || state === 'invalid' || state === 'nameTaken' ? TONES[state] : 'default'
  return <Badge tone={tone}>{STATE_TITLES[state]}</Badge>
}

type ServedNoteProps = {
  publicId: unknown
  path: string
  pollInterval: unknown
  /** The tools that should be offered. */
  expected: readonly ToolOnPage[]
}

/** Compares what the service really returns for a page with what it should return. */
function ServedNote({publicId, path, pollInterval, expected}: ServedNoteProps) {
  const parsed = parsePublicId(publicId)
  const names = expected.flatMap(({now}) => now.verdict.place?.name ?? []).sort()
  const served = useServed(parsed.ok ? parsed.value : undefined, path, names.join(' '))
  return (
    <Stack data-testid="page-served" gap={3}>
      {!parsed.ok ? (
        <Note>The service does not know this site yet.</Note>
      ) : served.state === 'answered' ? (
        <Comparison expected={names} path={normalizePath(path)} served={served.value} />
      ) : (
        <NotLoaded of={served} />
      )}
      <Muted>{describeFreshness(pollInterval)}</Muted>
    </Stack>
  )
}

type ComparisonProps = {expected: readonly string[]; path: string; served: readonly string[]}

function Comparison({expected, path, served}: ComparisonProps) {
  const missing = expected.filter((name) => !served.includes(name))
  const extra = served.filter((name) => !expected.includes(name))
  if (missing.length + extra.length === 0) {
    const count = expected.length === 1 ? 'this tool' : `these ${expected.length} tools`
    return (
      <Note tone="positive">
        {expected.length === 0
          ? `The service returns no tools for ${path}, as expected.`
          : `The service returns exactly ${count} for ${path}: ${expected.join(', ')}.`}
      </Note>
    )
  }
  const differences = [
    ...(missing.length > 0 ? [`does not return ${missing.join(', ')} yet`] : []),
    ...(extra.length > 0 ? [`still returns ${extra.join(', ')}`] : []),
  ]
  return (
    <Note tone="caution">
      For {path}, the service {differences.join(' and ')}. It picks up a change within seconds; while it
      cannot reach the content, it keeps the last known state. If this message stays for more than a minute,
      the service reads other content than this Studio, or the tool is too large for it. Checking again…
    </Note>
  )
}

/** Milliseconds until a request: an editor may still be typing. */
const PAUSE = 300

/** Milliseconds until the next request while the service returns something else than expected. */
const RETRY = 3_000

/**
 * The names of the tools and form tools that the service returns for a page, asked for again until they are the expected
 * ones.
 * @param publicId undefined: sends no request
 * @param expected names, sorted and joined with spaces
 */
function useServed(publicId: string | undefined, path: string, expected: string): Answer<string[]> {
  // What is expected changes after a publish.
  const subject = `${publicId} ${path} ${expected}`
  const ask = useMemo(() => {
    void subject
    if (publicId === undefined) return undefined
    return async (signal: AbortSignal) => {
      await new Promise((resolve) => setTimeout(resolve, PAUSE))
      signal.throwIfAborted()
      return fetchServed(publicId, path, signal)
    }
  }, [publicId, path, subject])
  const isExpected = (answer: Answer<string[]>) =>
    answer.state === 'answered' && answer.value.join(' ') === expected
  return useAnswer(ask, {again: (answer) => (isExpected(answer) ? undefined : RETRY)})
}
