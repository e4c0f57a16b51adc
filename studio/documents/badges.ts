import {useMemo} from 'react'
import type {DocumentBadgeComponent, DocumentBadgesResolver} from 'sanity'
import {diagnosePage} from '../../advice/diagnosis/page.ts'
import {siteOf} from '../../schemas/documents.ts'
import {describeFreshness} from '../install/freshness.ts'
import {useCheckedSite} from '../live/useCheckedSite.tsx'
import {useSiteTests} from '../tests/useTestReports.ts'
import {badgeOf, outdatedBadge, testBadgeOf} from './badge.ts'

/** The badges of a document: Sanity's, whether its draft is outdated, and whether pages offer it. */
export const documentBadges: DocumentBadgesResolver = (badges, {schemaType}) => {
  if (schemaType === 'site') return [...badges, draftBadge, siteBadge]
  return schemaType === 'tool' || schemaType === 'formTool'
    ? [...badges, draftBadge, toolBadge, testBadge]
    : badges
}

const draftBadge: DocumentBadgeComponent = ({draft, published}) => outdatedBadge(draft, published)

const siteBadge: DocumentBadgeComponent = ({published}) =>
  published?.enabled === false
    ? {
        label: 'All tools off',
        color: 'danger',
        title: `Pages of this site are offered no tools. ${describeFreshness(published.pollInterval)}`,
      }
    : null

const toolBadge: DocumentBadgeComponent = ({id, draft, published}) => {
  const live = useCheckedSite(siteOf(published ?? draft ?? undefined))
  return useMemo(() => {
    if (live.state !== 'ready') return null
    const tool = diagnosePage(live.site, undefined).tools.find((one) => one.id === id)
    const site = live.documents.find(({_id}) => _id === siteOf(published ?? undefined))
    const badge = tool && badgeOf(tool)
    return badge ? {...badge, title: `${badge.title} ${describeFreshness(site?.pollInterval)}`} : null
  }, [live, id, published])
}

/** What came of the tool's tests in the last run that was reported. */
const testBadge: DocumentBadgeComponent = ({id, draft, published}) => {
  const tests = useSiteTests(siteOf(published ?? draft ?? undefined))
  return testBadgeOf(tests, id, Date.now())
}
