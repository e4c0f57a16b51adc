import {idsIn, patternOf, thingOf} from '../../making/names.ts'
import {all} from '../../snippet/page.ts'
import {pagePath} from '../pagePath.ts'
import {textOf} from './controls.ts'

/** The heading of the page: the name of what it is about. */
function headingHere(): string {
  return textOf(all('h1')[0])
}

/** What tells this page from pages like it. */
export function idsHere(): string[] {
  return idsIn(pagePath(), headingHere())
}

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
