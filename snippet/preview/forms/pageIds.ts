import {idsIn} from '../../../schemas/making/names.ts'
import {all} from '../../page.ts'
import {pagePath} from '../pagePath.ts'
import {textOf} from './controls.ts'

/** The heading of the page: the name of what it is about. */
export function headingHere(): string {
  return textOf(all('h1')[0])
}

/** What tells this page from pages like it. */
export function idsHere(): string[] {
  return idsIn(pagePath(), headingHere())
}
