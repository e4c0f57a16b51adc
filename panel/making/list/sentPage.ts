import {useEffect, useState} from 'preact/hooks'
import {pageOf} from '../../../actions/run/html/otherPages.ts'
import type {ProposedField, ProposedPart} from '../../../making/picked.ts'
import {INTO, MAX_ENTRIES} from '../../../schemas/actions/parts.ts'
import {textOf} from '../../forms/controls.ts'
import {headingHere, thingHere} from '../../forms/thisPage.ts'
import type {Exchanges} from '../record/exchanges.ts'
import {ofThing, pageHere, type Searched, withOthers} from '../record/searches.ts'
import {readPart} from '../run.ts'
import type {FoundPart} from './readings.ts'

/** Milliseconds until the website counts as unreachable. */
const TIMEOUT = 10_000

/**
 * The page that the website sends for an address of its own: what scripts of the page add is not in it.
 * @param address undefined: none is needed
 * @param unlisted sends what is no request of the page
 * @returns undefined while it is not known
 */
export function useSentPage(
  address: string | undefined,
  unlisted: Exchanges['unlisted'],
): Document | undefined | null {
  const [sent, setSent] = useState<{address: string; page?: Document | undefined}>()
  useEffect(() => {
    if (address === undefined) return
    let isLeft = false
    sentPage(address, unlisted)
      .then((page) => page && !isLeft && setSent({address, page}))
      .catch(() => {})
    return () => {
      isLeft = true
    }
  }, [address, unlisted])
  return sent && sent.address === address ? sent.page : undefined
}

/** The page that the website sends for an address, which may say that there is none; undefined: no page. */
export async function sentPage(address: string, unlisted: Exchanges['unlisted']) {
  return pageOf(await unlisted(() => fetch(address, {signal: AbortSignal.timeout(TIMEOUT)})))
}

/** Pages of a search: of all that was sent, of its words alone, and of no search. */
type Sent = Readonly<Record<'sent' | 'alone' | 'unsearched', Document | undefined | null>> & {
  /** The page of another thing, or of none. */
  readonly other: Document | undefined | null
  /** The page itself, of which its own search may show a part. */
  readonly whole?: Document | undefined | null
  /** Whether the page itself is what was found. */
  readonly isHere: boolean
}

/** What a search finds of a part of the page. */
export function resultsOf(
  searched: Searched | undefined,
  {sent, alone, unsearched, other, isHere, whole}: Sent,
) {
  return ({part, count, heading}: FoundPart) => {
    if (whole) {
      const all = resultIn(whole, undefined, part)
      const size = readAll(whole, part).length
      return all && size > count
        ? {searched: pageHere(), part: {...all, limit: Math.min(2 * size, MAX_ENTRIES)}}
        : undefined
    }
    if (searched?.one) {
      // What other things have as well, under the same heading, agents ask for, unless it is there for none.
      const headings = Array.from(other?.querySelectorAll('h2, h3, h4, h5, h6') ?? [], textOf)
      const isThere = [headingHere(), thingHere(), ...headings].includes(heading)
      const isSame = other && !resultIn(other, sent, part)
      const isOne = searched.one.isLinked
        ? other && sent && isThere && !isSame
        : !isSame || !resultIn(other, undefined, part)
      return {searched: isOne ? ofThing(searched) : {...searched, one: undefined}, part}
    }
    if (isHere && sent && isByChance(sent, part)) return undefined
    const found = sent ? resultIn(sent, unsearched, part) : isHere ? part : undefined
    const isWhole = !alone || readAll(alone, part).length > 0
    return searched && found ? {searched: isWhole ? searched : withOthers(searched), part: found} : undefined
  }
}

/** Whether most of a list is something else each time that the page is loaded, as in a box of offers. The page may show a part. */
function isByChance(sent: Document, part: ProposedPart): boolean {
  const [shown = [], again = []] = [document, sent].map((page) =>
    readAll(page, part).flatMap((entry) => Object(entry).title ?? []),
  )
  const both = again.filter((one) => shown.includes(one))
  return both.length * 2 < Math.min(shown.length, again.length)
}

/** The entries of a part of the page that the website sends. */
export function readAll(page: Document, part: ProposedPart): unknown[] {
  const found = resultIn(page, undefined, part)
  return found ? [readPart(found, page) ?? []].flat() : []
}

/**
 * A part of the page as it is in what a search returns: what a script puts into the page lacks its title and its boxes.
 * @param unsearched what is the same in this page was not found
 * @returns undefined if it is not in it
 */
export function resultIn(
  sent: Document,
  unsearched: Document | undefined | null,
  part: ProposedPart,
): ProposedPart | undefined {
  const {selector} = part
  if (selector.includes(INTO)) return undefined
  const alone = sent.title ? [] : [`body > ${selector.split(' > ').at(-1)}`]
  const found = [selector, ...alone].find((one) => sent.querySelector(one))
  if (found === undefined || (unsearched && textIn(sent, found) === textIn(unsearched, found)))
    return undefined
  return {...part, selector: found}
}

function textIn(page: Document, selector: string): string {
  return Array.from(page.querySelectorAll(selector), ({textContent}) => textContent).join('\n')
}

/** A list with the fields that other pages show to be values, and no labels: entries have other texts there. */
export function toldApart(part: ProposedPart, pages: readonly Document[]): ProposedPart {
  const {selector, fields = [], same = []} = part
  if (same.length === 0 || selector.includes(INTO)) return part
  const textsOf = (page: Document, {selector: within}: ProposedField) =>
    Array.from(page.querySelectorAll(selector), (entry) => entry.querySelector(within)?.textContent.trim())
  const values = same.filter((field) => {
    const [label] = textsOf(document, field)
    return pages.some((page) => textsOf(page, field).some((text) => text && text !== label))
  })
  return {...part, fields: [...fields, ...values], same: same.filter((field) => !values.includes(field))}
}
