import {LaunchIcon} from '@sanity/icons/Launch'
import {Box, Card, Flex, Heading, Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {Link} from 'sanity/router'
import {diagnosePage, knownPaths, type ToolOnPage} from '../../../advice/diagnosis/page.ts'
import type {CheckedSite} from '../../../advice/diagnosis/site.ts'
import {describeSite} from '../../../advice/diagnosis/words.ts'
import {advisePage} from '../../../advice/site/pages.ts'
import {groupVersions, type Versions} from '../../../schemas/documents.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {parsePage, type TypedPage} from '../../../schemas/rules/paths/page.ts'
import {addressesOfSite} from '../../install/siteAddresses.ts'
import {NotLoaded} from '../../live/notLoaded.tsx'
import {useCheckedSite} from '../../live/useCheckedSite.ts'
import {useRelease} from '../../live/useRelease.ts'
import {useAddresses} from '../../parts/addresses.ts'
import {Column} from '../../parts/column.tsx'
import {PageNote, PathField} from '../../parts/fields/pathField.tsx'
import {KindIcon} from '../../parts/kindIcon.tsx'
import {Muted, Note} from '../../parts/note.tsx'
import {Rows} from '../../parts/rows.tsx'
import {PaneButton} from '../../parts/smallButton.tsx'
import {PreviewDialog} from '../../preview/dialog.tsx'
import {ToolState} from '../toolState.tsx'
import {ServedNote} from './servedNote.tsx'

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
      <Tools advice={advice} title={`Offered on ${path}`} tools={offered} />
      <Tools advice={[]} title={`Not offered on ${path}`} tools={others} />
    </>
  )
}

type ToolsProps = {
  advice: ReturnType<typeof advisePage>
  title: string
  tools: readonly ToolOnPage[]
}

function Tools({advice, title, tools}: ToolsProps) {
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
              tool={tool}
            />
          ))}
        </Rows>
      )}
    </Stack>
  )
}

/** A tool in the list of a page, which leads to its form. */
function ToolRow({tool, advice}: {tool: ToolOnPage; advice: readonly string[]}) {
  const addresses = useAddresses()
  return (
    <div data-testid={`page-tool-${tool.name}`}>
      <Card as={Link} data-as="a" href={addresses.form(tool.type, tool.id)}>
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
