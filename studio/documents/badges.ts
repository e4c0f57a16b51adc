import {useMemo} from 'react'
import type {DocumentBadgeComponent, DocumentBadgesResolver} from 'sanity'
import {siteOf} from '../../schemas/diagnosis/documents.ts'
import {diagnosePage} from '../../schemas/diagnosis/page.ts'
import {useCheckedSite} from '../live/useCheckedSite.ts'
import {useFieldTitle} from '../parts/fieldTitle.ts'
import {badgeOf} from './badge.ts'

/** The badges of a document: Sanity's, and whether pages offer it. */
export const documentBadges: DocumentBadgesResolver = (badges, {schemaType}) => {
  if (schemaType === 'site') return [...badges, siteBadge]
  return schemaType === 'tool' || schemaType === 'formTool' ? [...badges, toolBadge] : badges
}

const siteBadge: DocumentBadgeComponent = ({published}) =>
  published?.enabled === false
    ? {label: 'All tools off', color: 'danger', title: 'Pages of this site have no tools.'}
    : null

const toolBadge: DocumentBadgeComponent = ({id, draft, published}) => {
  const live = useCheckedSite(siteOf(published ?? draft ?? undefined))
  const titleOf = useFieldTitle()
  return useMemo(() => {
    if (live.state !== 'ready') return null
    const tool = diagnosePage(live.site, undefined).tools.find((one) => one.id === id)
    return tool === undefined ? null : badgeOf(tool, titleOf)
  }, [live, id, titleOf])
}
