import {Badge, Card, Flex, Heading, Stack, Text} from '@sanity/ui'
import {useMemo} from 'react'
import {type ConsumerListing, listForConsumers} from '../../advice/agents/listings.ts'
import {aboutConsumer, countListed, groupRemarks, hintsInWords} from '../../advice/agents/words.ts'
import {offeredOnPage} from '../../advice/diagnosis/agents.ts'
import {normalizePath} from '../../schemas/rules/paths/normalizePath.ts'
import {TrialNote, useTrial} from '../install/trial.tsx'
import {type ChosenPage, ForPage} from '../overview/page/forPage.tsx'
import {Column} from '../parts/column.tsx'
import {Details} from '../parts/details.tsx'
import {Muted, Note} from '../parts/note.tsx'
import {Section} from '../parts/section.tsx'

/** Who can call the tools of a page: for each known agent what arrives, under which name, and what would help. */
export function AgentsPane({siteId}: {siteId: string}) {
  return (
    <Column testId="agents-pane">
      <Section
        text="Each agent renames tools, drops hints and limits calls in its own way. This is what is known of each, for what is published on a page."
        title="Who can call these tools"
      >
        <ForPage siteId={siteId}>{(chosen) => <Consumers {...chosen} />}</ForPage>
      </Section>
    </Column>
  )
}

function Consumers({checked, documents, page: {path}}: ChosenPage) {
  const found = useMemo(() => {
    const tools = offeredOnPage(checked, documents, path)
    return tools.length === 0 ? [] : listForConsumers(tools)
  }, [checked, documents, path])
  return found.length === 0 ? (
    <Note>{normalizePath(path)} offers no tools.</Note>
  ) : (
    found.map((one) => <ConsumerCard key={one.consumer.id} listing={one} />)
  )
}

function ConsumerCard({listing}: {listing: ConsumerListing}) {
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
            <TokenBadge listing={listing} />
          ) : (
            <Badge tone={isWhole ? 'positive' : 'caution'}>{countListed(listing)}</Badge>
          )}
        </Flex>
        <Muted>{aboutConsumer(consumer)}</Muted>
        {access === 'token' && <TrialNote />}
        {groupRemarks(listing).map(({code, severity, tools, message, help}) => (
          <Note key={code + message} tone={severity === 'problem' ? 'caution' : 'default'}>
            <strong>{tools.join(', ')}:</strong> {message} {help}
          </Note>
        ))}
        <Details title="Names and hints">
          <Stack as="ul" gap={3}>
            {listings.map((one) => (
              <Text as="li" key={one.tool.name} size={1}>
                {one.name ?? `${one.tool.name} is not listed`}
                {one.hints.length > 0 && `: ${hintsInWords(one)}`}
              </Text>
            ))}
          </Stack>
        </Details>
        <Text muted size={0}>
          As of {date}: {source}.
        </Text>
      </Stack>
    </Card>
  )
}

/** Of browsers that find tools only while the service has a token. */
function TokenBadge({listing}: {listing: ConsumerListing}) {
  const words = useTrial()
  if (words === undefined) return null
  return words.works ? (
    <Badge tone="positive">{countListed(listing)}</Badge>
  ) : (
    <Badge tone="caution">No tools without a token</Badge>
  )
}
