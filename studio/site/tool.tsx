import {HomeIcon} from '@sanity/icons/Home'
import type {Tool} from 'sanity'
import {route, useRouterState} from 'sanity/router'
import {OVERVIEW} from '../parts/addresses.ts'
import {lazily} from '../parts/lazily.tsx'

const StartPage = lazily(async () => (await import('../start/startPage.tsx')).StartPage)
const SitePage = lazily(async () => (await import('./sitePage.tsx')).SitePage)

/** The first page of Studio, and the page of each site. */
export const overviewTool: Tool = {
  name: OVERVIEW,
  title: 'Overview',
  icon: HomeIcon,
  component: () => {
    const {siteId, tab} = useRouterState()
    return typeof siteId === 'string' ? (
      <SitePage key={siteId} siteId={siteId} tab={String(tab)} />
    ) : (
      <StartPage />
    )
  },
  router: route.create('/', [route.create('/:siteId', [route.create('/:tab')])]),
}
