import {patternOf, thingOf} from '../../../schemas/making/names.ts'
import {headingHere} from '../forms/pageIds.ts'
import {pagePath} from '../pagePath.ts'

/** The pattern for pages like this one. */
export function patternHere(): string {
  return patternOf(pagePath(), headingHere())
}

/** What this page is about, if it is one of many: “product” for the page of “Mooring Rope”. */
export function thingHere(): string | undefined {
  return thingOf(pagePath(), headingHere())
}

/** The same if a heading is its name, which a tool for all of them has not. */
export function thingNamed(heading: string): string | undefined {
  return heading !== '' && heading === headingHere() ? thingHere() : undefined
}
