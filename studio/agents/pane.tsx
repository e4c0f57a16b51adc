import {Badge, Card, Flex, Heading, Stack, Text} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {type ConsumerListing, listForConsumers} from '../../schemas/agents/listings.ts'
import {aboutConsumer, countListed, groupRemarks, hintsInWords} from '../../schemas/agents/words.ts'
import {offeredOnPage} from '../../schemas/diagnosis/agents.ts'
import {groupVersions, type StoredDocument} from '../../schemas/diagnosis/documents.ts'
import {knownPaths} from '../../schemas/diagnosis/page.ts'
import type {CheckedSite} from '../../schemas/diagnosis/site.ts'
import {normalizePath} from '../../schemas/rules/paths/normalizePath.ts'
import {parsePage} from '../../schemas/rules/paths/page.ts'
import {addressesOfSite} from '../install/siteAddresses.ts'
import {TrialNote, useTrial} from '../install/trial.tsx'
import {useCheckedSite} from '../live/useCheckedSite.ts'
import {useRelease} from '../live/useRelease.ts'
import {Column} from '../parts/column.tsx'
import {PageNote, PathField} from '../parts/fields/pathField.tsx'
import {Waiting} from '../parts/lazily.tsx'
import {Muted, Note} from '../parts/note.tsx'

type AgentsPaneProps = {siteId: string; serviceOrigin: string}

/** Who can call the tools of a page: for each known agent what arrives, under which name, and what would help. */
export function AgentsPane({siteId, serviceOrigin: origin}: AgentsPaneProps) {
  const live = useCheckedSite(siteId, useRelease()?.name)
  if (live.state === 'waiting') return <Waiting />
  if (live.state === 'failed') return <Note tone="critical">{live.problem}</Note>
  return (
    <Column testId="agents-pane">
      <Page checked={live.site} documents={live.documents} origin={origin} siteId={siteId} />
    </Column>
  )
}

type PageProps = {
  checked: CheckedSite
  documents: readonly StoredDocument[]
  origin: string
  siteId: string
}

function Page({checked, documents, origin, siteId}: PageProps) {
  const paths = useMemo(() => knownPaths(checked), [checked])
  const [typed, setTyped] = useState(() => paths[0] ?? '/')
  const site = groupVersions(documents).find(({id}) => id === siteId)
  const page = parsePage(typed, addressesOfSite(site))
  const path = page.ok ? page.value.path : undefined
  const found = useMemo(() => {
    const tools = path === undefined ? [] : offeredOnPage(checked, documents, path)
    return tools.length === 0 ? [] : listForConsumers(tools)
  }, [checked, documents, path])
  return (
    <Stack gap={5}>
      <Stack gap={3}>
        <Heading as="h2" size={1}>
          Who can call these tools
        </Heading>
        <Muted>
          Each agent renames tools, drops hints and limits calls in its own way. This is what is known of
          each, for what is published on a page.
        </Muted>
      </Stack>
      <PathField onChange={setTyped} path={typed} paths={paths} />
      <PageNote page={page} />
      {path !== undefined && found.length === 0 && <Note>{normalizePath(path)} offers no tools.</Note>}
      {found.map((one) => (
        <ConsumerCard key={one.consumer.id} listing={one} origin={origin} />
      ))}
    </Stack>
  )
}

function ConsumerCard({listing, origin}: {listing: ConsumerListing; origin: string}) {
  const {consumer, listings} = listing
  const {id, title, access, source, date} = consumer
  const isWhole = listings.every(({name}) => name !== undefined)
  return (
    <Card as="section" aria-label={title} border data-testid={`agents-${id}`} padding={4} radius={2}>
      <Stack gap={4}>
        <Flex align="center" gap={2} justify="space-between" wrap="wrap">
          <Heading as="h3" size={1}>
            {title}
          </Heading>
          {access === 'token' ? (
            <TokenBadge listing={listing} origin={origin} />
          ) : (
            <Badge tone={isWhole ? 'positive' : 'caution'}>{countListed(listing)}</Badge>
          )}
        </Flex>
        <Muted>{aboutConsumer(consumer)}</Muted>
        {access === 'token' && <TrialNote origin={origin} />}
        {groupRemarks(listing).map(({code, severity, tools, message, help}) => (
          <Note key={code + message} tone={severity === 'problem' ? 'caution' : 'default'}>
            <strong>{tools.join(', ')}:</strong> {message} {help}
          </Note>
        ))}
        <details>
          <summary>
            <Text as="span" size={1} style={{display: 'inline-block'}}>
              Names and hints
            </Text>
          </summary>
          <Stack as="ul" gap={3} paddingTop={3}>
            {listings.map((one) => (
              <Text as="li" key={one.tool.name} size={1}>
                {one.name ?? `${one.tool.name} is not listed`}
                {one.hints.length > 0 && `: ${hintsInWords(one)}`}
              </Text>
            ))}
          </Stack>
        </details>
        <Text muted size={0}>
          As of {date}: {source}.
        </Text>
      </Stack>
    </Card>
  )
}

/** Of browsers that find tools only while the service has a token. */
function TokenBadge({listing, origin}: {listing: ConsumerListing; origin: string}) {
  const words = useTrial(origin)
  if (words === undefined) return null
  return words.works ? (
    <Badge tone="positive">{countListed(listing)}</Badge>
  ) : (
    <Badge tone="caution">No tools without a token</Badge>
  )
}
