import {HomeIcon} from '@sanity/icons/Home'
import type {Tool} from 'sanity'
import {route, useRouterState} from 'sanity/router'
import {OVERVIEW} from '../parts/addresses.ts'
import {lazily} from '../parts/lazily.tsx'

const SitePage = lazily(async () => (await import('./sitePage.tsx')).SitePage)

/**
 * The first page of Studio, and the page of each site.
 * @param serviceOrigin where pages load their tools from
 * @param isLake whether the content is in a lake, which has reviews
 */
export function overviewTool(serviceOrigin: string, isLake: boolean): Tool {
  const Overview = lazily(async () => {
    const {LakeStartPage, StartPage} = await import('../start/startPage.tsx')
    return isLake ? LakeStartPage : StartPage
  })
  const component = () => {
    const {siteId, tab} = useRouterState()
    return typeof siteId === 'string' ? (
      <SitePage
        isLake={isLake}
        key={siteId}
        serviceOrigin={serviceOrigin}
        siteId={siteId}
        tab={String(tab)}
      />
    ) : (
      <Overview serviceOrigin={serviceOrigin} />
    )
  }
  return {
    name: OVERVIEW,
    title: 'Overview',
    icon: HomeIcon,
    component,
    router: route.create('/', [route.create('/:siteId', [route.create('/:tab')])]),
  }
}
