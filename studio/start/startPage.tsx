import {AddIcon} from '@sanity/icons/Add'
import {Box, Button, Card, Container, Flex, Grid, Heading, Stack, Text} from '@sanity/ui'
import {useEffect, useMemo, useState} from 'react'
import {IntentLink, Link} from 'sanity/router'
import type {StoredDocument} from '../../schemas/documents.ts'
import {ChangeList, LatestDocuments} from '../activity/changeList.tsx'
import {useActivity} from '../activity/useActivity.ts'
import {TrialProblem} from '../install/trial.tsx'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {NotLoaded} from '../live/useCheckedSite.tsx'
import {useLakeReport} from '../live/useLakeReport.ts'
import {type SiteTab, useAddresses} from '../parts/addresses.ts'
import {MANY, useFound} from '../parts/fields.tsx'
import {Guides, Topics} from '../parts/guides.tsx'
import {Muted, Note, Section} from '../parts/layout.tsx'
import {UNDERLINED} from '../parts/underlined.ts'
import {allows, type Me, useAccess} from '../people/access.ts'
import {PasswordHint} from '../people/account/passwordHint.tsx'
import {ALL_REVIEWS, type Review, reviewsIn} from '../review/review.ts'
import {isLake} from '../running.ts'
import {LastRun} from '../tests/lastRun.tsx'
import type {TestRun} from '../tests/report.ts'
import {useTestRuns} from '../tests/useTestReports.ts'
import {SiteSeenOf} from '../visits/seen.tsx'
import {MakeTool} from './makeTool.tsx'
import {reviewsWait, SiteBadges, SiteProblems} from './siteState.tsx'
import {ALL_SITES, MAX_LATEST, type SiteSummary, summarize} from './siteSummary.ts'

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
      <Container as="main" data-testid="start-page" paddingX={4} paddingY={5} width={3}>
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

const STEPS = [
  [
    '1. Add a site',
    'A site is a website whose pages offer tools. Publish it, then give its tag to the person who edits your pages: you find it under the site, in “Install”.',
  ],
  [
    '2. Make a tool',
    'A tool is something that an AI agent can do on your page for a visitor, such as a search. Show on your page what it does, or start from a recipe. A form tool lets agents fill in a form that is on your page already.',
  ],
  [
    '3. Publish it',
    'Drafts are never on pages. After you publish, new visitors get the tool within a minute.',
  ],
  ['4. Check it', '“On a page” shows what each page offers, and why a tool is missing there.'],
] as const

/** How it works, in four steps, and the guides. */
function Help() {
  return (
    <Section title="How it works">
      <Card border padding={4} radius={2}>
        <Stack gap={4}>
          <Topics of={STEPS} />
          <Guides />
        </Stack>
      </Card>
    </Section>
  )
}

type LakeProblem = {code: string; message: string; reason?: string}

/** Milliseconds between two requests while the page is visible. */
const INTERVAL = 60_000

/** What is wrong with the lake, for the person who runs it. Nothing while all is well, or without a lake. */
function LakeProblems() {
  const problems = useLakeReport<{problems: LakeProblem[]}>('/problems', INTERVAL)?.problems ?? []
  if (problems.length === 0) return null
  return (
    <Box data-testid="lake-problems" paddingBottom={5}>
      <Note tone="caution">
        <Stack gap={3}>
          <Text as="p" size={1} weight="medium">
            The server needs attention. Show this to the person who runs it:
          </Text>
          {problems.map(({code, message, reason}) => (
            <Stack gap={2} key={code}>
              <Text as="p" size={1}>
                {message}.
              </Text>
              {reason !== undefined && (
                <Text as="p" muted size={1} style={{overflowWrap: 'anywhere'}}>
                  {code}: {reason}
                </Text>
              )}
            </Stack>
          ))}
        </Stack>
      </Note>
    </Box>
  )
}

/** The last published changes of all sites: who, when and what, or with hosted Sanity when and what. */
function LastChanges({documents}: {documents: readonly StoredDocument[]}) {
  const {answer, names} = useActivity(undefined, MAX_LATEST, documents)
  if (documents.length === 0) return null
  return (
    <Section testId="start-changes" title="Last changes">
      {answer.state === 'answered' && answer.value ? (
        <ChangeList activity={answer.value.activity} names={names} />
      ) : (
        <LatestDocuments documents={documents} max={MAX_LATEST} names={names} />
      )}
    </Section>
  )
}

const TABS: readonly [title: string, tab: SiteTab][] = [
  ['Install', 'install'],
  ['On a page', 'pages'],
  ['Activity', 'activity'],
]

/** A site in short, with links to its page. While it is in view, it asks the service when pages were last seen. */
function SiteCard({site, tests}: {site: SiteSummary; tests: TestRun | undefined}) {
  const {id, name, publicId, reviews} = site
  const addresses = useAddresses()
  const [card, setCard] = useState<HTMLElement | null>(null)
  const isInView = useInView(card)
  const tabs: typeof TABS = reviews > 0 ? [...TABS, ['Reviews', 'reviews']] : TABS
  return (
    <Card as="li" border data-testid={`start-site-${name}`} padding={4} radius={2} ref={setCard}>
      <Stack gap={4}>
        <Flex align="center" gap={3} justify="space-between" wrap="wrap">
          <Text size={2} weight="semibold">
            <Link href={addresses.site(id)}>{name}</Link>
          </Text>
          <Flex gap={3} wrap="wrap">
            {tabs.map(([title, tab]) => (
              <Text key={tab} size={1}>
                <Link href={addresses.site(id, tab)}>{title}</Link>
              </Text>
            ))}
          </Flex>
        </Flex>
        <SiteBadges site={site} />
        {isInView && <SiteSeenOf siteId={id} publicId={publicId} />}
        <LastRun run={tests} />
        <SiteProblems site={site} />
      </Stack>
    </Card>
  )
}

/** Whether a part of an element is in view. */
function useInView(element: Element | null): boolean {
  const [isInView, setInView] = useState(false)
  useEffect(() => {
    if (element === null) return undefined
    const observer = new IntersectionObserver(([entry]) => setInView(entry?.isIntersecting === true))
    observer.observe(element)
    return () => observer.disconnect()
  }, [element])
  return isInView
}
