import {moreOf} from '../../../actions/run/html/otherPages.ts'
import {findDeep} from '../../../actions/run/html/parts.ts'
import {toolOf} from '../../../making/exchange.ts'
import {nameFromWords} from '../../../making/names.ts'
import type {ProposedPart} from '../../../making/picked.ts'
import {parametersOf, type Searched} from '../record/searches.ts'

const NO_PARAMETERS = JSON.stringify({type: 'object', properties: {}}, null, 2)

/** Pages of a list that goes on: an agent rarely needs more. A search may have several, although this one has one. */
const PROPOSED_PAGES = 3

/**
 * A tool that reads parts of the open page; with `searched`, one that loads the page in each call, on every page.
 * @param subject what it is about
 */
export function readingTool(
  proposed: readonly ProposedPart[],
  searched: Searched | undefined,
  subject = proposed[0]?.name,
) {
  // Links to more pages seldom have what was sent with POST.
  const hasLists = proposed.some(({kind}) => kind !== 'text' && kind !== 'definitions')
  const pages = searched && !searched.found && hasLists ? PROPOSED_PAGES : 1
  const parts = proposed.map(({same, ...part}) => part)
  const verb = searched && parametersOf(searched).length > 0 && !searched.one ? 'find' : 'get'
  const grows = parts.some(({selector}) => moreOf(findDeep(document, selector).at(-1)))
  const reading = {parts, ...(grows && {pages: PROPOSED_PAGES})}
  return {
    name: subject ? nameFromWords(`${verb} ${subject}`) : '',
    pages: searched && (searched.pages ?? '/**'),
    fields: searched
      ? toolOf(searched.exchange, {...searched, result: {kind: 'parts', parts, ...(pages > 1 && {pages})}})
      : {action: 'reading', reading, inputSchema: NO_PARAMETERS},
  }
}
