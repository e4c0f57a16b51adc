import {HINT_TITLES} from '../../schemas/rules/hints/annotations.ts'
import type {Access, Consumer} from './consumers.ts'
import type {ConsumerListing, Listing, Remark} from './listings.ts'

/** How a page's tools are there for a consumer, as a sentence. */
const ACCESS: Readonly<Record<Access, string>> = {
  token: 'Finds tools on pages with an origin trial token.',
  own: 'Switches WebMCP on itself: needs no token.',
  option: 'The person who runs it switches WebMCP on: needs no token.',
  page: 'Runs on pages that load it, with or without WebMCP.',
  future: 'Not released yet.',
}

/** What to know about a consumer, as sentences. */
export function aboutConsumer({access, callSeconds, facts}: Consumer): string {
  const limit = callSeconds === undefined ? [] : [`A call ends after ${callSeconds} seconds.`]
  return [ACCESS[access], ...limit, ...facts].join(' ')
}

/** What a consumer tells the model about a tool, in words. Empty: nothing. */
export function hintsInWords({hints}: Listing): string {
  return hints.map((hint) => (hint === 'destructive' ? hint : HINT_TITLES[hint].toLowerCase())).join(', ')
}

/** A remark with the tools that it is about. */
export type GroupedRemark = Pick<Remark, 'code' | 'severity' | 'message' | 'help'> & {
  readonly tools: readonly string[]
}

/** The remarks of a consumer, those that are equal for several tools once; problems first. */
export function groupRemarks({listings}: ConsumerListing): GroupedRemark[] {
  const groups = new Map<string, GroupedRemark>()
  for (const {tool, remarks} of listings) {
    for (const remark of remarks) {
      const key = `${remark.code} ${remark.message} ${remark.help}`
      groups.set(key, {...remark, tools: [...(groups.get(key)?.tools ?? []), tool.name]})
    }
  }
  return [...groups.values()].sort(
    (a, b) => Number(b.severity === 'problem') - Number(a.severity === 'problem'),
  )
}

/** How many tools a consumer lists, such as "5 of 6 tools, 2 of them only at times". */
export function countListed({listings}: ConsumerListing): string {
  const listed = listings.filter(({name}) => name !== undefined)
  const ofPages = listed.filter(({tool}) => tool.isOfPages === true).length
  const atTimes = listed.filter(({tool}) => tool.isConditional === true).length - ofPages
  const count = `${listed.length} of ${listings.length} ${listings.length === 1 ? 'tool' : 'tools'}`
  return [
    count,
    ...(atTimes > 0 ? [`${atTimes} of them only at times`] : []),
    ...(ofPages > 0 ? [`${ofPages} of the pages themselves`] : []),
  ].join(', ')
}
