import type {BadgeTone} from '@sanity/ui'
import {patternOf} from '../../advice/changes/members.ts'
import {diagnosePage} from '../../advice/diagnosis/page.ts'
import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {groupVersions, type StoredDocument} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'
import {badgeOf, outdatedBadge} from '../documents/badge.ts'
import type {Review} from '../review/review.ts'

/** A tool or form tool of a site, as the table on the site's page shows it. */
export type ToolRow = ReturnType<typeof toolRows>[number]

const TONES: Readonly<Record<string, BadgeTone>> = {
  success: 'positive',
  warning: 'caution',
  danger: 'critical',
}

/** The tools and form tools of a site, by name. */
export function toolRows(
  checked: CheckedSite,
  documents: readonly StoredDocument[],
  reviews: readonly Review[],
) {
  const versions = new Map(groupVersions(documents).map((one) => [one.id, one]))
  return diagnosePage(checked, undefined).tools.map((tool) => {
    const {id, type, name} = tool
    const {published, draft} = versions.get(id) ?? {}
    const badges = [outdatedBadge(draft ?? null, published ?? null) ?? [], badgeOf(tool)].flat()
    const [{label = '', color = ''} = {}] = badges
    return {
      id,
      type,
      name,
      state: {label, tone: TONES[color] ?? 'default', title: badges.map(({title}) => title).join(' ')},
      /** The pages that offer it, and those that will after the draft is published. */
      pages: pagesOf(
        published === undefined ? '' : patternOf(type, published),
        draft === undefined ? '' : patternOf(type, draft),
      ),
      /** ISO 8601. Empty: not known. */
      changedAt: latest(published, draft),
      /** Whether a review of it waits. Empty: none was requested. */
      review: reviewWords(reviews.find(({document}) => document === id)),
    }
  })
}

function pagesOf(now: string, after: string): string {
  if (now === '' || after === '' || now === after) return now || after
  return `${now}, ${after} in the draft`
}

function latest(...documents: readonly (StoredDocument | undefined)[]): string {
  return (
    documents
      .map((document) => textOf(document?._updatedAt))
      .sort()
      .at(-1) ?? ''
  )
}

function reviewWords(review: Review | undefined): string {
  if (review === undefined) return ''
  if (review.isSentBack) return 'Sent back'
  return review.action === 'publish' ? 'Waits for a review' : `Waits for a review to ${review.action} it`
}
