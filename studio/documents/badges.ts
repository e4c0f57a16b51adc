import {useEffect, useMemo, useState} from 'react'
import type {DocumentBadgeComponent, DocumentBadgesResolver} from 'sanity'
import {siteOf} from '../../schemas/diagnosis/documents.ts'
import {diagnosePage} from '../../schemas/diagnosis/page.ts'
import {arrivesBy, describeFreshness} from '../install/freshness.ts'
import {useCheckedSite} from '../live/useCheckedSite.ts'
import {useFieldTitle} from '../parts/fieldTitle.ts'
import {useSiteTests} from '../tests/useTestReports.ts'
import {badgeOf, outdatedBadge, testBadgeOf} from './badge.ts'

/** The badges of a document: Sanity's, whether its draft is outdated, and whether pages offer it. */
export const documentBadges =
  (isLake: boolean): DocumentBadgesResolver =>
  (badges, {schemaType}) => {
    if (schemaType === 'site') return [...badges, draftBadge, siteBadge]
    return schemaType === 'tool' || schemaType === 'formTool'
      ? [...badges, draftBadge, toolBadge, ...(isLake ? [testBadge] : [])]
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
  const titleOf = useFieldTitle()
  const documents = live.state === 'ready' ? live.documents : []
  const site = documents.find(({_id}) => _id === siteOf(published ?? undefined))
  const pollInterval = site?.pollInterval
  const isArriving = useIsBefore(
    Math.max(
      ...[published?._updatedAt, site?._updatedAt]
        .map((changedAt) => arrivesBy(changedAt, pollInterval))
        .filter((time) => !Number.isNaN(time)),
    ),
  )
  return useMemo(() => {
    if (live.state !== 'ready') return null
    const tool = diagnosePage(live.site, undefined).tools.find((one) => one.id === id)
    const arriving = isArriving ? describeFreshness(pollInterval) : undefined
    return tool === undefined ? null : badgeOf(tool, titleOf, arriving)
  }, [live, id, titleOf, isArriving, pollInterval])
}

/** What came of the tool's tests in the last run that was reported. */
const testBadge: DocumentBadgeComponent = ({id, draft, published}) => {
  const tests = useSiteTests(siteOf(published ?? draft ?? undefined))
  return testBadgeOf(tests, id, Date.now())
}

/** Whether a time, in milliseconds since 1970, is still to come. */
function useIsBefore(time: number): boolean {
  const [now, setNow] = useState(Date.now)
  useEffect(() => {
    const left = time - Date.now()
    setNow(Date.now())
    if (left <= 0) return undefined
    const timer = setTimeout(() => setNow(Date.now()), left)
    return () => clearTimeout(timer)
  }, [time])
  return time > now
}
