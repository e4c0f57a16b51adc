import {Flex, Stack, TextInput} from '@sanity/ui'
import {type FormEvent, useMemo, useState} from 'react'
import {diagnosePage, knownPaths} from '../../../advice/diagnosis/page.ts'
import {advisePage} from '../../../advice/site/pages.ts'
import {groupVersions} from '../../../schemas/documents.ts'
import {normalizePath} from '../../../schemas/rules/paths/normalizePath.ts'
import {parsePage} from '../../../schemas/rules/paths/page.ts'
import {addressesOfSite} from '../../install/siteAddresses.ts'
import {PAGE_HINT, PageNote} from '../../parts/fields.tsx'
import {PaneButton, Rows, Section} from '../../parts/layout.tsx'
import {ToolSeen} from '../../visits/seen.tsx'
import {ToolState} from '../toolState.tsx'
import {type SiteOfTool, viewOfTool} from './siteOfTool.tsx'

/** Maximum paths of the site to show. An editor can type others. */
const MAX_PATHS = 30

/** For a tool or form tool: which pages of its site offer it, and why the others do not. */
export const ToolPagesView = viewOfTool(
  'tool-pages',
  'Choose a site first. Pages of that site are listed here then.',
  Pages,
)

function Pages({documentId, documents, site, siteId}: SiteOfTool) {
  const versions = groupVersions(documents).find(({id}) => id === siteId)
  const addresses = addressesOfSite(versions?.draft ?? versions?.published)
  const [typed, setTyped] = useState<readonly string[]>([])
  const [text, setText] = useState('')
  const [added, setAdded] = useState<string>()
  const page = added === undefined ? undefined : parsePage(added, addresses)
  const known = useMemo(() => knownPaths(site), [site])
  const paths = [...new Set([...typed, ...known.slice(0, MAX_PATHS)])]
  const add = (event: FormEvent) => {
    event.preventDefault()
    if (text.trim() === '') return
    const found = parsePage(text, addresses)
    setAdded(text)
    if (!found.ok) return
    setTyped([normalizePath(found.value.path), ...typed])
    setText('')
  }
  return (
    <Stack gap={4}>
      <ToolSeen siteId={siteId} publicId={versions?.published?.publicId} toolId={documentId} />
      <Section
        text={`The pages that this site's tools name, and those that you add. ${PAGE_HINT}`}
        title="On which of these pages?"
      >
        <form onSubmit={add}>
          <Flex gap={2}>
            <Stack flex={1}>
              <TextInput
                aria-label="Another page"
                data-testid="tool-pages-path"
                fontSize={1}
                onChange={(event) => setText(event.currentTarget.value)}
                placeholder="/products/7"
                spellCheck={false}
                value={text}
              />
            </Stack>
            <PaneButton text="Add" type="submit" />
          </Flex>
        </form>
      </Section>
      {page !== undefined && <PageNote page={page} />}
      <Rows>
        {paths.map((path) => (
          <Page documentId={documentId} key={path} path={path} site={site} />
        ))}
      </Rows>
    </Stack>
  )
}

function Page({documentId, site, path}: Pick<SiteOfTool, 'documentId' | 'site'> & {path: string}) {
  const {tools} = useMemo(() => diagnosePage(site, path), [site, path])
  const tool = tools.find(({id}) => id === documentId)
  if (tool === undefined) return null
  const offered = tools.filter(({reasons}) => reasons.length === 0)
  const advice = offered.includes(tool)
    ? advisePage(path, offered).filter(({id}) => id === undefined || id === documentId)
    : []
  return (
    <div data-testid={`tool-page-${path}`}>
      <ToolState
        otherPages="Not here"
        advice={advice.map(({advice: {message}}) => message)}
        title={path}
        tool={tool}
      />
    </div>
  )
}
