import {AddIcon} from '@sanity/icons/Add'
import {Box, Button, Card, Container, Flex, Grid, Heading, Stack} from '@sanity/ui'
import {useMemo, useState} from 'react'
import {IntentLink, Link} from 'sanity/router'
import type {StoredDocument} from '../../schemas/documents.ts'
import {TrialProblem} from '../install/trial.tsx'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {NotLoaded} from '../live/notLoaded.tsx'
import {useAddresses} from '../parts/addresses.ts'
import {MANY, useFound} from '../parts/fields/useFound.tsx'
import {Muted, Note} from '../parts/note.tsx'
import {Section} from '../parts/section.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import type {Me} from '../people/access.ts'
import {PasswordHint} from '../people/account/passwordHint.tsx'
import {allows} from '../people/roles.ts'
import {useAccess} from '../people/useAccess.ts'
import {ALL_REVIEWS, type Review, reviewsIn} from '../review/review.ts'
import {isLake} from '../running.ts'
import {useTestRuns} from '../tests/useTestReports.ts'
import {Help} from './help.tsx'
import {LakeProblems} from './lakeProblems.tsx'
import {LastChanges} from './lastChanges.tsx'
import {MakeTool} from './makeTool.tsx'
import {SiteCard} from './siteCard.tsx'
import {reviewsWait} from './siteState.tsx'
import {ALL_SITES, type SiteSummary, summarize} from './siteSummary.ts'

const NO_REVIEWS: readonly Review[] = []

/**
 * The first page of Studio: the sites and their state, the last changes, and what to do next. On a lake also what is wrong
 * with it, the reviews that wait, and what the person may do.
 */
export function StartPage() {
  const loaded = useAccess<Me>(isLake ? '/me' : undefined)
  const me = loaded.state === 'answered' ? loaded.value : undefined
  const live = useLiveDocuments(ALL_SITES)
  const waiting = useLiveDocuments(isLake ? ALL_REVIEWS : undefined)
  const reviews = useMemo(
    () => (waiting.state === 'ready' ? reviewsIn(waiting.documents) : NO_REVIEWS),
    [waiting],
  )
  return (
    <Box height="fill" overflow="auto">
      <Container data-testid="start-page" paddingX={4} paddingY={5} width={3}>
        {isLake && <LakeProblems />}
        {me !== undefined && <PasswordHint me={me} />}
        <TrialProblem />
        {live.state === 'ready' ? (
          <Overview documents={live.documents} me={me} reviews={reviews} />
        ) : (
          <NotLoaded of={live} />
        )}
      </Container>
    </Box>
  )
}

type OverviewProps = {
  documents: readonly StoredDocument[]
  reviews: readonly Review[]
  me: Me | undefined
}

function Overview({documents, reviews, me}: OverviewProps) {
  const runs = useTestRuns()
  const [shown, setShown] = useState(MANY)
  const sites = useMemo(() => summarize(documents, reviews), [documents, reviews])
  const {field, found} = useFound(sites, 'a site')
  // While this is not known, and with hosted Sanity, everything is offered.
  const mayAddSites = me === undefined || allows(me.rights, 'author', undefined)
  const editable = sites.filter(({id}) => me === undefined || allows(me.rights, 'author', id))
  return (
    <Stack gap={6}>
      <Flex align="center" gap={3} justify="space-between" wrap="wrap">
        <Heading as="h1" size={3}>
          Overview
        </Heading>
        <Flex gap={2}>
          {mayAddSites && (
            <Button
              as={IntentLink}
              icon={AddIcon}
              intent="create"
              mode="ghost"
              params={{type: 'site'}}
              text="Add a site"
            />
          )}
          {editable.length > 0 && <MakeTool sites={editable} />}
        </Flex>
      </Flex>
      <WaitingReviews sites={sites} />
      <Grid gap={6} gridTemplateColumns={[1, 1, 1, 2]}>
        <Section title="Sites">
          {sites.length === 0 && (
            <Card border padding={4} radius={2}>
              <Muted>
                There is no site yet. A site is a website whose pages offer tools.{' '}
                {mayAddSites
                  ? 'Add the first one.'
                  : `You are ${me.rightsText}, so somebody else has to add one.`}
              </Muted>
            </Card>
          )}
          {field}
          <Stack as="ul" gap={3}>
            {found.slice(0, shown).map((site) => (
              <SiteCard key={site.id} site={site} tests={runs.get(site.id)} />
            ))}
          </Stack>
          {found.length > shown && (
            <Button mode="ghost" onClick={() => setShown(shown + MANY)} text="Show more sites" />
          )}
        </Section>
        <Stack gap={6}>
          <LastChanges documents={documents} />
          <Help />
        </Stack>
      </Grid>
    </Stack>
  )
}

/** The reviews that wait, with links to where they are done. */
function WaitingReviews({sites}: {sites: readonly SiteSummary[]}) {
  const addresses = useAddresses()
  const waiting = sites.filter(({reviews}) => reviews > 0)
  if (waiting.length === 0) return null
  return (
    <Stack data-testid="start-reviews" gap={2}>
      {waiting.map(({id, name, reviews}) => (
        <Note key={id} tone="primary">
          <Link href={addresses.site(id, 'reviews')} style={UNDERLINED}>
            {reviewsWait(reviews)}
          </Link>{' '}
          on {name}.
        </Note>
      ))}
    </Stack>
  )
}
