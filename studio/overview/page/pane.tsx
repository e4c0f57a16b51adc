import {LaunchIcon} from '@sanity/icons/Launch'
import {Box, Card, Flex, Heading, Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {Link} from 'sanity/router'
import {diagnosePage, type ToolOnPage} from '../../../advice/diagnosis/page.ts'
import {describeSite} from '../../../advice/diagnosis/words.ts'
import {advisePage} from '../../../advice/site/pages.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {useAddresses} from '../../parts/addresses.ts'
import {Column} from '../../parts/column.tsx'
import {KindIcon} from '../../parts/kindIcon.tsx'
import {Muted, Note} from '../../parts/note.tsx'
import {Rows} from '../../parts/rows.tsx'
import {PaneButton} from '../../parts/smallButton.tsx'
import {PreviewDialog} from '../../preview/dialog.tsx'
import {ToolState} from '../toolState.tsx'
import {type ChosenPage, ForPage} from './forPage.tsx'
import {ServedNote} from './servedNote.tsx'

/** For a page: every tool of the site, whether it is offered there, and why not. */
export function PagePane({siteId}: {siteId: string}) {
  return (
    <Column testId="page-pane">
      <ForPage hint="What follows changes as you type." siteId={siteId}>
        {(chosen) => <Offers {...chosen} siteId={siteId} />}
      </ForPage>
    </Column>
  )
}

/** What a page offers, and what not. */
function Offers({checked, page, site, siteId}: ChosenPage & {siteId: string}) {
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
