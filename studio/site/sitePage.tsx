import {ChevronLeftIcon} from '@sanity/icons/ChevronLeft'
import {CogIcon} from '@sanity/icons/Cog'
import {Box, Container, Flex, Heading, Stack} from '@sanity/ui'
import {useCallback, useEffect, useMemo, useRef, useState} from 'react'
import {Link} from 'sanity/router'
import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {groupVersions, type StoredDocument, type Versions} from '../../schemas/documents.ts'
import {ActivityPane} from '../activity/pane.tsx'
import {CallsPane} from '../calls/pane.tsx'
import {Regressions} from '../calls/regressions.tsx'
import {type FollowedCalls, useCalls} from '../calls/useCalls.ts'
import {CopySiteButton} from '../documents/copySite/copySite.tsx'
import {SwitchButton} from '../documents/siteSwitch.tsx'
import {InstallPane} from '../install/pane.tsx'
import {addressesOfSite} from '../install/siteAddresses.ts'
import {useLiveDocuments} from '../live/liveDocuments.ts'
import {NotLoaded, useCheckedSite} from '../live/useCheckedSite.tsx'
import {PagePane} from '../overview/pane.tsx'
import {SITE_TABS, type SiteTab, siteName, useAddresses} from '../parts/addresses.ts'
import {Muted, Note, PaneButton, SmallButton} from '../parts/layout.tsx'
import {MakeReleaseButton} from '../releases/makeRelease.tsx'
import {ReviewPane} from '../review/pane.tsx'
import {type Review, reviewsIn, reviewsOfSite} from '../review/review.ts'
import {isLake, runningSiteOfPage} from '../running.ts'
import {browserItems} from '../saving/storage.ts'
import {MakeToolOf} from '../start/makeTool.tsx'
import {SiteBadges, SiteProblems} from '../start/siteState.tsx'
import {type SiteSummary, summarizeSite} from '../start/siteSummary.ts'
import {FailedTests, LastRun} from '../tests/lastRun.tsx'
import {useSiteTests} from '../tests/useTestReports.ts'
import {VisitsSection} from '../visits/section.tsx'
import {SiteSeen} from '../visits/seen.tsx'
import {type FollowedVisits, useVisits} from '../visits/useVisits.ts'
import {nextSteps, noteShown, wasShown} from './nextSteps.ts'
import {NextStepsList} from './nextStepsList.tsx'
import {toolRows} from './toolRows.ts'
import {ToolTable} from './toolTable.tsx'

type SitePageProps = {
  siteId: string
  /** As in the address. */
  tab: string
}

const WITHOUT_OUTLINE = {outline: 'none'}

/** The page of a site: what it offers and what is wrong with it, and everything about it in tabs. */
export function SitePage({siteId, tab}: SitePageProps) {
  const live = useCheckedSite(siteId)
  const addresses = useAddresses()
  const main = useRef<HTMLDivElement>(null)
  // The link that led here has gone, with the focus.
  useEffect(() => {
    if (document.activeElement === document.body) main.current?.focus()
  }, [])
  return (
    <Box height="fill" overflow="auto">
      <Container
        as="main"
        data-testid="site-page"
        paddingX={4}
        paddingY={4}
        ref={main}
        style={WITHOUT_OUTLINE}
        tabIndex={-1}
        width="auto"
      >
        <Stack gap={4}>
          <SmallButton
            as={Link}
            href={addresses.overview}
            icon={ChevronLeftIcon}
            mode="bleed"
            text="All sites"
          />
          {live.state === 'ready' ? (
            <Found checked={live.site} documents={live.documents} siteId={siteId} tab={tab} />
          ) : (
            <NotLoaded of={live} />
          )}
        </Stack>
      </Container>
    </Box>
  )
}

type FoundProps = SitePageProps & {checked: CheckedSite; documents: readonly StoredDocument[]}

function Found(props: FoundProps) {
  const {siteId, documents} = props
  const site = groupVersions(documents).find(({id, type}) => id === siteId && type === 'site')
  if (site === undefined)
    return <Note tone="caution">There is no such site, or you may not see it. It may have been deleted.</Note>
  return <Site {...props} versions={site} />
}

function Site({siteId, tab, checked, documents, versions}: FoundProps & {versions: Versions}) {
  const waiting = useLiveDocuments(useMemo(() => (isLake ? reviewsOfSite(siteId) : undefined), [siteId]))
  const reviews = useMemo(() => (waiting.state === 'ready' ? reviewsIn(waiting.documents) : []), [waiting])
  const tests = useSiteTests(siteId)
  const name = siteName((versions.draft ?? versions.published)?.name)
  const site = useMemo(
    () => summarizeSite(versions, name, checked, reviews),
    [versions, name, checked, reviews],
  )
  const visits = useVisits(siteId, site.publicId)
  const calls = useCalls(siteId, versions.published)
  const current = SITE_TABS.find((known) => known === tab) ?? 'tools'
  return (
    <Stack gap={4}>
      <Header documents={documents} site={site} />
      <Flex align="center" gap={4} wrap="wrap">
        <SiteBadges site={site} />
        <SiteSeen visits={visits} />
      </Flex>
      <SiteProblems site={site} />
      <LastRun run={tests} />
      <FailedTests documents={documents} siteId={site.id} tests={tests} />
      {calls.state === 'answered' && calls.value.hours.length > 0 && (
        <Regressions calls={calls.value} documents={documents} siteId={siteId} />
      )}
      <Tabs current={current} site={site} />
      <Content {...{siteId, checked, documents, reviews, site, versions, visits, calls}} tab={current} />
    </Stack>
  )
}

function Header({site, documents}: {site: SiteSummary; documents: readonly StoredDocument[]}) {
  const addresses = useAddresses()
  return (
    <Flex align="center" gap={3} justify="space-between" wrap="wrap">
      <Heading as="h1" size={3}>
        {site.name}
      </Heading>
      <Flex gap={2} wrap="wrap">
        <PaneButton as={Link} href={addresses.form('site', site.id)} icon={CogIcon} text="Settings" />
        {isLake && <MakeReleaseButton documents={documents} name={site.name} siteId={site.id} />}
        <CopySiteButton siteId={site.id} />
        <SwitchButton hasTools={site.tools + site.formTools > 0} siteId={site.id} />
      </Flex>
    </Flex>
  )
}

const TITLES: Readonly<Record<SiteTab, string>> = {
  tools: 'Tools',
  pages: 'On a page',
  install: 'Install',
  calls: 'Calls',
  activity: 'Activity',
  reviews: 'Reviews',
}

function Tabs({site, current}: {site: SiteSummary; current: SiteTab}) {
  const addresses = useAddresses()
  const tabs = SITE_TABS.filter((tab) => isLake || tab !== 'reviews')
  return (
    <Flex aria-label={`Parts of ${site.name}`} as="nav" gap={1} wrap="wrap">
      {tabs.map((tab) => (
        <PaneButton
          aria-current={tab === current ? 'page' : undefined}
          as={Link}
          data-testid={`site-tab-${tab}`}
          href={addresses.site(site.id, tab)}
          key={tab}
          mode="bleed"
          selected={tab === current}
          text={tab === 'reviews' && site.reviews > 0 ? `${TITLES[tab]} (${site.reviews})` : TITLES[tab]}
        />
      ))}
    </Flex>
  )
}

type ContentProps = Omit<FoundProps, 'tab'> & {
  reviews: readonly Review[]
  versions: Versions
  site: SiteSummary
  tab: SiteTab
  visits: FollowedVisits | undefined
  calls: FollowedCalls
}

function Content(props: ContentProps) {
  const {tab, siteId, documents, reviews, versions, visits, calls} = props
  switch (tab) {
    case 'tools':
      return (
        <Stack gap={5}>
          <NextSteps {...props} />
          <Tools {...props} />
        </Stack>
      )
    case 'pages':
      return <PagePane siteId={siteId} />
    case 'install':
      return (
        <InstallPane
          siteId={siteId}
          visits={
            <VisitsSection
              address={addressesOfSite(versions.draft ?? versions.published)[0]}
              hasHashRouter={(versions.draft ?? versions.published)?.hashRouter === true}
              visits={visits}
            />
          }
        />
      )
    case 'calls':
      return <CallsPane calls={calls} documents={documents} siteId={siteId} />
    case 'activity':
      return <ActivityPane documents={documents} siteId={siteId} />
    case 'reviews':
      return isLake ? (
        <ReviewPane documents={documents} reviews={reviews} siteId={siteId} />
      ) : (
        <Note>Reviews need a lake.</Note>
      )
  }
}

function NextSteps({site, versions, checked, visits}: ContentProps) {
  const [isShown, setShown] = useState(() => wasShown(site.id, browserItems))
  const show = useCallback(() => {
    noteShown(site.id, browserItems)
    setShown(true)
  }, [site.id])
  const isSeen = visits?.answer.state === 'answered' && visits.answer.value.seenAt !== undefined
  const steps = nextSteps(versions, checked, isShown || isSeen, runningSiteOfPage()?.publicId)
  return <NextStepsList onShown={show} site={site} steps={steps} />
}

function Tools({checked, documents, reviews, site}: ContentProps) {
  const rows = useMemo(() => toolRows(checked, documents, reviews), [checked, documents, reviews])
  return (
    <Stack gap={4}>
      <Flex>
        <MakeToolOf site={site} />
      </Flex>
      {rows.length === 0 ? (
        <Muted>This site has no tools yet.</Muted>
      ) : (
        <ToolTable rows={rows} siteId={site.id} />
      )}
    </Stack>
  )
}
