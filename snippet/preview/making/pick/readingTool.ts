import {toolOf} from '../../../../schemas/making/exchange.ts'
import {inputsOf} from '../../../../schemas/making/inputs.ts'
import type {ProposedPart} from '../../../../schemas/making/picked.ts'
import {all} from '../../lent/borrowed.ts'
import * as read from './reading.generated.ts'

/** The request for this page, with what somebody searched for. */
export type Searched = NonNullable<ReturnType<typeof searchedHere>>

/** The request for a page, or a part of one, if its address has what somebody searched for. */
export function searchedHere(page = location.href) {
  const {origin, pathname, search, searchParams} = new URL(page)
  const values = [...searchParams.values()].filter(Boolean)
  if (values.length === 0) return undefined
  const fields = all<HTMLInputElement>('input, select').map(({value}) => value)
  const shown = values.filter((value) => fields.includes(value))
  const exchange = {method: 'GET', address: origin + pathname + search}
  const inputs = inputsOf(exchange, shown.length > 0 ? shown : values).map((input) =>
    input.place === 'path' ? {...input, use: 'fixed' as const} : input,
  )
  const parameters = inputs.flatMap(({use, parameter}) => (use === 'parameter' ? [parameter] : []))
  return parameters.length === 0
    ? undefined
    : {exchange, inputs, origin: location.origin, parameters, isShown: shown.length > 0}
}

const NO_PARAMETERS = JSON.stringify({type: 'object', properties: {}}, null, 2)

/** Pages of a list that goes on: an agent rarely needs more. A search may have several, although this one has one. */
const PROPOSED_PAGES = 3

/** How many pages of the lists of this page a tool may read. */
export function pagesHere(): number {
  // Elements of a page may hide members of `document`.
  return read.nextOf(document.documentElement, location.href) ? PROPOSED_PAGES : 1
}

/**
 * A tool that reads parts of the open page; with `searched`, one that loads the page in each call, on every page.
 * @param pages how many pages of a list it loads at most
 */
export function readingTool(
  parts: readonly ProposedPart[],
  searched: Searched | undefined,
  pages = searched ? PROPOSED_PAGES : 1,
) {
  const [first] = parts
  const verb = searched ? 'find' : 'get'
  const grows = parts.some(({selector}) => read.moreOf(read.all(selector).at(-1)))
  const reading = {parts, ...(grows && {pages: PROPOSED_PAGES})}
  return {
    name: first ? `${verb}${first.name.charAt(0).toUpperCase()}${first.name.slice(1)}` : '',
    pages: searched && '/**',
    fields: searched
      ? toolOf(searched.exchange, {...searched, result: {kind: 'parts', parts, ...(pages > 1 && {pages})}})
      : {action: 'reading', reading, inputSchema: NO_PARAMETERS},
  }
}
