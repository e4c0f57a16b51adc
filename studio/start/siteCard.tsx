import {Card, Flex, Stack, Text} from '@sanity/ui'
import {useEffect, useState} from 'react'
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

/** A site in short, with links to its page. While it is in view, it asks the service when pages were last seen. */
export function SiteCard({site, tests}: {site: SiteSummary; tests: TestRun | undefined}) {
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
