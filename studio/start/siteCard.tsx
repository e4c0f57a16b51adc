import {Card, Flex, Stack, Text} from '@sanity/ui'
import {Link} from 'sanity/router'
import {type SiteTab, useAddresses} from '../parts/addresses.ts'
import {LastRun} from '../tests/lastRun.tsx'
import type {TestRun} from '../tests/report.ts'
import {SiteSeenOf} from '../visits/seen.tsx'
import {SiteBadges, SiteProblems} from './siteState.tsx'
import type {SiteSummary} from './siteSummary.ts'

const TABS: readonly [title: string, tab: SiteTab][] = [
  ['Install', 'install'],
  ['On a page', 'pages'],
  ['Activity', 'activity'],
]

/**
 * A site in short, with links to its page.
 * @param showsVisits whether it asks the service when pages were last seen
 */
export function SiteCard({
  site,
  tests,
  showsVisits,
}: {
  site: SiteSummary
  tests: TestRun | undefined
  showsVisits: boolean
}) {
  const {id, name, publicId, reviews} = site
  const addresses = useAddresses()
  const tabs: typeof TABS = reviews > 0 ? [...TABS, ['Reviews', 'reviews']] : TABS
  return (
    <Card as="li" border data-testid={`start-site-${name}`} padding={4} radius={2}>
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
        {showsVisits && <SiteSeenOf siteId={id} publicId={publicId} />}
        <LastRun run={tests} />
        <SiteProblems site={site} />
      </Stack>
    </Card>
  )
}
