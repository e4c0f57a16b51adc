import type {DocumentBadgeDescription} from 'sanity'
import type {ToolOnPage} from '../../advice/diagnosis/page.ts'
import {fieldTitle} from '../../advice/diagnosis/titles.ts'
import {describeTool, STATE_TITLES} from '../../advice/diagnosis/words.ts'
import {describeCounts, type SiteTests, shortCommit} from '../tests/report.ts'

type Dated = Readonly<Record<string, unknown>>

/**
 * The badge of a draft that was last changed before what is published now, such as after the restore of a backup: to publish it would
 * undo that. Null: it was not. The lake also refuses to publish drafts that only began before.
 */
export function outdatedBadge(draft: Dated | null, published: Dated | null): DocumentBadgeDescription | null {
  const [changed, other] = [draft, published].map((one) => Date.parse(String(one?._updatedAt)))
  return changed !== undefined && other !== undefined && changed < other
    ? {
        label: 'Draft is outdated',
        color: 'danger',
        title:
          'This was published again after the draft was last changed. Copy what you still need from the draft, and discard it.',
      }
    : null
}

/**
 * The badge of a tool: whether pages are offered it, or else the most important reason why not. Studio does not know
 * which pages have the script tag.
 */
export function badgeOf(tool: ToolOnPage): DocumentBadgeDescription {
  const [reason] = tool.reasons
  const title = describeTool(tool, undefined)
  if (reason === undefined)
    return {label: tool.reasonsAfter ? 'Offered, draft waits' : 'Offered', color: 'success', title}
  switch (reason.code) {
    case 'unpublished':
      return {label: 'Not on pages', color: 'warning', title}
    case 'invalid':
      return {label: `Left out: ${fieldTitle(tool.type, reason.field)}`, color: 'danger', title}
    case 'nameTaken':
      return {label: 'Left out: name taken', color: 'danger', title}
    default:
      return {label: STATE_TITLES[reason.code], color: 'warning', title}
  }
}

/** The badge with what came of a tool's tests in a run. Null: it has none. */
export function testBadgeOf(
  tests: SiteTests | undefined,
  id: string,
  now: number,
): DocumentBadgeDescription | null {
  const tool = tests?.tools.find((one) => one.id === id)
  const label = tool && describeCounts(tool, now)
  if (tests === undefined || tool === undefined || label === undefined) return null
  const at = tests.commit === '' ? '' : `, at ${shortCommit(tests.commit)}`
  const title = `${tool.problem} Last run: ${new Date(tests.at).toLocaleString('en-US')}${at}.`.trim()
  return {label, color: tool.failed > 0 ? 'danger' : 'success', title}
}
