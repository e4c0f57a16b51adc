import type {DocumentBadgeDescription} from 'sanity'
import type {ToolOnPage} from '../../schemas/diagnosis/page.ts'
import {describeTool, STATE_TITLES, type TitleOf} from '../../schemas/diagnosis/words.ts'

/** The badge of a tool: whether pages offer it, or else the most important reason why not. */
export function badgeOf(tool: ToolOnPage, titleOf: TitleOf): DocumentBadgeDescription {
  const [reason] = tool.reasons
  const title = describeTool(tool, undefined, titleOf)
  if (reason === undefined)
    return {label: tool.reasonsAfter ? 'On pages, draft waits' : 'On pages', color: 'success', title}
  switch (reason.code) {
    case 'unpublished':
      return {label: 'Not on pages', color: 'warning', title}
    case 'invalid':
      return {label: `Left out: ${titleOf(tool.type, reason.field)}`, color: 'danger', title}
    case 'nameTaken':
      return {label: 'Left out: name taken', color: 'danger', title}
    default:
      return {label: STATE_TITLES[reason.code], color: 'warning', title}
  }
}
