import {LaunchIcon} from '@sanity/icons/Launch'
import {Button, Card, Flex, Heading, Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {advisePage} from '../../../schemas/advice/site/pages.ts'
import {groupVersions, type Versions} from '../../../schemas/diagnosis/documents.ts'
import {diagnosePage, knownPaths, type ToolOnPage} from '../../../schemas/diagnosis/page.ts'
import type {CheckedSite} from '../../../schemas/diagnosis/site.ts'
import {describeSite} from '../../../schemas/diagnosis/words.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {parsePage, type TypedPage} from '../../../schemas/rules/paths/page.ts'
import {addressesOfSite} from '../../install/siteAddresses.ts'
import {useCheckedSite} from '../../live/useCheckedSite.ts'
import {useRelease} from '../../live/useRelease.ts'
import {Column} from '../../parts/column.tsx'
import {PageNote, PathField} from '../../parts/fields/pathField.tsx'
import {Waiting} from '../../parts/lazily.tsx'
import {Muted, Note} from '../../parts/note.tsx'
import {PreviewDialog} from '../../preview/dialog.tsx'
import {ServedNote} from './servedNote.tsx'
import {ToolRow} from './toolRow.tsx'

/** For a page: every tool of the site, whether it is offered there, and why not. */
export function PagePane({siteId, serviceOrigin: origin}: {siteId: string; serviceOrigin: string}) {
  const live = useCheckedSite(siteId, useRelease()?.name)
  if (live.state === 'waiting') return <Waiting />
  if (live.state === 'failed') return <Note tone="critical">{live.problem}</Note>
  const site = groupVersions(live.documents).find(({id}) => id === siteId)
  return <Page checked={live.site} origin={origin} site={site} siteId={siteId} />
}

type PageProps = {checked: CheckedSite; origin: string; site: Versions | undefined; siteId: string}

function Page({checked, origin, site, siteId}: PageProps) {
  const paths = useMemo(() => knownPaths(checked), [checked])
  const [typed, setTyped] = useState(() => paths[0] ?? '/')
  const page = parsePage(typed, addressesOfSite(site))
  return (
    <Column testId="page-pane">
      <Stack gap={5}>
        <PathField hint="What follows changes as you type." onChange={setTyped} path={typed} paths={paths} />
        <PageNote page={page} />
        {page.ok && (
          <Offers checked={checked} origin={origin} page={page.value} site={site} siteId={siteId} />
        )}
      </Stack>
    </Column>
  )
}

/** What a page offers, and what not. */
function Offers({checked, origin, page, site, siteId}: PageProps & {page: TypedPage}) {
  const [isOpening, setOpening] = useState(false)
  const path = normalizePath(page.path)
  const {tools, siteReasons} = useMemo(() => diagnosePage(checked, page.path), [checked, page.path])
  const offered = tools.filter(({reasons}) => reasons.length === 0)
  const others = tools.filter(({reasons}) => reasons.length > 0)
  const advice = useMemo(() => advisePage(path, offered), [path, offered])
  return (
    <>
      <Flex>
        <Button
          data-testid="page-open"
          fontSize={1}
          icon={LaunchIcon}
          mode="ghost"
          onClick={() => setOpening(true)}
          text="Open this page with drafts"
        />
      </Flex>
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
          origin={origin}
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
        <Card border radius={2} overflow="hidden">
          <Stack as="ul">
            {tools.map((tool, index) => (
              <ToolRow
                advice={advice.filter(({id}) => id === tool.id).map(({advice: {message}}) => message)}
                isFirst={index === 0}
                key={tool.id}
                tool={tool}
              />
            ))}
          </Stack>
        </Card>
      )}
    </Stack>
  )
}
