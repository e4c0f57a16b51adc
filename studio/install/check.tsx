import {Box, Button, Flex, TextInput} from '@sanity/ui'
import {type FormEvent, useMemo, useState} from 'react'
import {groupVersions} from '../../schemas/diagnosis/documents.ts'
import {diagnosePage} from '../../schemas/diagnosis/page.ts'
import {stateOf} from '../../schemas/diagnosis/reasons.ts'
import type {CheckedSite} from '../../schemas/diagnosis/site.ts'
import {STATE_TITLES} from '../../schemas/diagnosis/words.ts'
import {normalizePath} from '../../schemas/rules/paths/normalizePath.ts'
import {parsePage} from '../../schemas/rules/paths/page.ts'
import {useCheckedSite} from '../live/useCheckedSite.ts'
import {PAGE_HINT, PageNote} from '../parts/fields/pathField.tsx'
import {Note} from '../parts/note.tsx'
import {Section} from '../parts/section.tsx'
import {describeFreshness} from './freshness.ts'
import {fetchServed, type Served} from './service.ts'
import {addressesOfSite} from './siteAddresses.ts'
import {useAnswer} from './useAnswer.ts'

type CheckProps = {
  siteId: string
  origin: string
  publicId: string
  pollInterval: unknown
  /** Undefined: the site is not published. A new revision triggers a new request. */
  publishedRevision: string | undefined
}

/** Maximum tools to name. */
const MAX_NAMED = 5

/** Fetches from the service what it serves for a page, in the same way as that page. */
export function Check({siteId, origin, publicId, pollInterval, publishedRevision}: CheckProps) {
  const live = useCheckedSite(siteId)
  const [typed, setTyped] = useState('/')
  const [asked, setAsked] = useState({typed: '/'})
  const site =
    live.state === 'ready' ? groupVersions(live.documents).find(({id}) => id === siteId) : undefined
  const page = parsePage(asked.typed, addressesOfSite(site))
  const path = page.ok ? page.value.path : undefined
  const answer = useAnswer(
    useMemo(
      () =>
        publishedRevision === undefined || path === undefined
          ? undefined
          : // A new object even for the same page: it triggers a new request.
            (signal: AbortSignal) => asked && fetchServed(origin, publicId, path, signal),
      [origin, publicId, publishedRevision, path, asked],
    ),
  )
  const isHere = page.ok && page.value.elsewhere === undefined
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setAsked({typed})
  }
  return (
    <Section
      title="What a page receives"
      text={`The config that the service at ${origin} returns for a page. ${PAGE_HINT} ${describeFreshness(pollInterval)}`}
    >
      <form onSubmit={submit}>
        <Flex gap={2}>
          <Box flex={1}>
            <TextInput
              aria-label="Page"
              data-testid="install-path"
              fontSize={1}
              onChange={(event) => setTyped(event.currentTarget.value)}
              value={typed}
            />
          </Box>
          <Button data-testid="install-check" fontSize={1} mode="ghost" text="Check" type="submit" />
        </Flex>
      </form>
      <Box data-testid="install-answer">
        <PageNote page={page} />
        {path === undefined ? null : publishedRevision === undefined ? (
          <Note tone="caution">
            This site is not published yet. Publish it under Settings: until then, pages get no tools.
          </Note>
        ) : answer.state === 'waiting' ? (
          <Note>Loading…</Note>
        ) : answer.state === 'failed' ? (
          <Note tone="critical">{answer.problem}</Note>
        ) : (
          <Note tone={isEmpty(answer.value) || !isHere ? 'caution' : 'positive'}>
            {wordsFor(normalizePath(path), answer.value, live.state === 'ready' ? live.site : undefined)}
          </Note>
        )}
      </Box>
    </Section>
  )
}

function isEmpty({tools, formTools}: Served): boolean {
  return tools.length + formTools.length === 0
}

function wordsFor(path: string, {tools, formTools}: Served, site: CheckedSite | undefined): string {
  const parts = [counted(tools, 'tool'), counted(formTools, 'form tool')].filter((part) => part !== '')
  if (parts.length > 0) return `The service returns ${parts.join(' and ')} for ${path}.`
  return [`The service returns no tools for ${path}.`, ...(site ? [othersOn(path, site)] : [])].join(' ')
}

/** The tools that a page does not offer, in short. The pane "On a page" has the details. */
function othersOn(path: string, site: CheckedSite): string {
  const {tools} = diagnosePage(site, path)
  if (tools.length === 0) return 'This site has no tools yet.'
  const others = tools.filter(({reasons}) => reasons.length > 0)
  if (others.length === 0) return 'It has not picked up the last change yet: check again in a few seconds.'
  const named = others
    .slice(0, MAX_NAMED)
    .map(({name, reasons}) => `${name} (${STATE_TITLES[stateOf(reasons)].toLowerCase()})`)
  const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : ''
  const are = others.length === 1 ? '1 tool is' : `${others.length} tools are`
  return `${are} not offered there: ${named.join(', ')}${more}. “On a page” says why.`
}

function counted(names: string[], what: string): string {
  if (names.length === 0) return ''
  return `${names.length} ${what}${names.length === 1 ? '' : 's'} (${names.join(', ')})`
}
