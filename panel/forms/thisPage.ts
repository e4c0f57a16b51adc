import {TECHNICAL} from '../../actions/plan.ts'
import {OF_ONE} from '../../making/inputs.ts'
import {idsIn, patternOf, singularOf, thingOf} from '../../making/names.ts'
import {all} from '../../snippet/page.ts'
import {pagePath} from '../pagePath.ts'
import {textOf} from './controls.ts'

/** Looks something up once for all parts of a page: nothing changes on it while the panel looks at it. */
export function onceHere<Found>(find: () => Found): () => Found {
  let known: {found: Found} | undefined
  return () => {
    if (known) return known.found
    known = {found: find()}
    queueMicrotask(() => {
      known = undefined
    })
    return known.found
  }
}

/** What the title of the page says besides a heading. */
function besides(heading: string): string {
  return document.title.replace(heading, '').replaceAll(/^[^\p{L}\p{N}]+|[^\p{L}\p{N})]+$/gu, '')
}

/** Whether a heading names the website: it leads to another page, all titles end with it, or the name of the page stands next to it. */
export function isOfSite(heading: Element): boolean {
  const link = heading.closest<HTMLAnchorElement>('a[href]') ?? heading.querySelector('a')
  const own = textOf(heading)
  const name = textOf(link)
  const isName = name === own || (own.startsWith(name) && document.title.endsWith(name) && !isTitle(heading))
  const isLink =
    link && name !== '' && isName && link.href.replace(/#.*/, '') !== location.href.replace(/#.*/, '')
  const rest = besides(own)
  const isNext = (node: Node | null) => node instanceof Text && node.data.trim() === rest
  return isLink || (rest !== '' && [heading.previousSibling, heading.nextSibling].some(isNext))
}

/** Boxes that all pages have at their top. */
export const TOP = 'header:not(:is(main, article, section) *), [role=banner], [id=header]'

/** The heading of the page: what its title begins with, where the first heading names the website, or what the page belongs to. */
export function pageHeading(): Element | undefined {
  const headings = all('h1').filter((one) => !isOfSite(one))
  const isTop = headings.every((one) => one.closest(TOP) && !isTitle(one))
  return (isTop ? all('h2, h3').find(isTitle) : undefined) ?? headings[0]
}

function isTitle(heading: Element): boolean {
  const text = textOf(heading)
  return text !== '' && document.title.startsWith(text)
}

/** The name of what the page is about; else what its title says besides the website. */
export const headingHere = onceHere(() => {
  const own = pageHeading()
  const site = textOf(all('h1')[0])
  return own ? textOf(own) : (site && besides(site)) || site
})

/** What tells this page from pages like it. */
export const idsHere = onceHere((): string[] => {
  const heading = headingHere()
  return [...idsIn(pagePath(), heading), ...(heading && thingHere() ? [heading] : [])]
})

/** The pattern for pages like this one. */
export function patternHere(): string {
  return patternOf(pagePath(), headingHere())
}

/** What this page is about, if it is one of many: “product” for the page of “Mooring Rope”. */
export function thingHere(): string | undefined {
  const heading = headingHere()
  const one = thingOfQuery()
  const [word = ''] = /\p{L}*$/u.exec(one?.value ?? '') ?? []
  const isNamed = heading.toLowerCase().includes(word.toLowerCase())
  const thing = thingOf(pagePath(), heading)
  // What is not one of several, and stands nowhere on the page, is a word of programmers, such as “tktview”.
  const isWord = !thing || !pagePath().includes(`/${thing}/`) || textHere().includes(thing)
  return (isWord ? thing : 'page') ?? (isNamed ? one?.thing : undefined)
}

/** What a query says about which of many things a page is about. */
export type QueryThing = {
  readonly name: string
  readonly value: string
  readonly thing: string
  /** The address of another one, if the page has a link to it; else of the page of none. */
  readonly other: string
  readonly isLinked: boolean
}

/** Links that are looked at: long pages would become slow. */
const MOST_LINKS = 500

/** Names that may say which of many things a page is about. */
export const NAMED = /^(?:p|t|name|title|item|article|post|topic|thread)$/i

/** What may be the name of one of many in a heading: “oc_country”. A word that was searched for is none. */
const NAMES_ONE = /^(?=.*[_.:/-])[\w.:/-]{3,}$/

/** Addresses that may change something, such as “/add-to-cart/7”. */
export const CHANGES =
  /delete|remove|cancel|(?:log|sign)[_-]?o(?:ut|ff)|(?<=[/?&=])(?:add|approve|buy|clear|confirm|disable|enable|purge|reset|revert|send|submit|subscribe|toggle|unsubscribe|update|vote)(?:\b|_)/i

/** Which thing this page is about, if its query says that, as in `?product_id=43`. */
export const thingOfQuery = onceHere(() => findThing(location))

const textHere = onceHere(() => `${document.title} ${document.body.textContent}`.toLowerCase())

function findThing({search, href}: Location): QueryThing | undefined {
  const heading = headingHere()
  const values = new Map(new URLSearchParams(search))
  const isInHeading = (value = '') => NAMES_ONE.test(value) && heading.includes(value)
  const names = [...values.keys()].filter((name) => !TECHNICAL.test(name) || isInHeading(values.get(name)))
  const links =
    names.length > 0 && !CHANGES.test(href) ? all<HTMLAnchorElement>('a[href]').slice(0, MOST_LINKS) : []
  const withValue = (address: string, name: string, value = '') => {
    const url = new URL(address.replace(/#.*/, ''))
    if (url.searchParams.has(name)) url.searchParams.set(name, value)
    url.searchParams.sort()
    return url.href
  }
  const things = names.flatMap((name): QueryThing[] => {
    const value = values.get(name) ?? ''
    const here = withValue(href, name)
    const others = links.filter(
      (link) =>
        /^https?:/.test(link.href) &&
        withValue(link.href, name) === here &&
        new URL(link.href).searchParams.get(name) !== value,
    )
    const other = others.find((link) => !link.closest('header, nav, footer')) ?? others[0]
    const word = name.replace(OF_ONE, '').replaceAll(/.*\[|\]|[_-]+$/g, '')
    const thing = word.length > 2 ? singularOf(word.replaceAll(/[_-]+/g, ' ')) : 'page'
    const isLinked = other !== undefined && thing === 'page'
    const isNamed = other && (NAMED.test(name) || isInHeading(value))
    return OF_ONE.test(name) || isNamed
      ? [{name, value, thing, isLinked, other: isLinked ? other.href : here}]
      : []
  })
  return things.find(({thing}) => thing !== 'page') ?? things[0]
}

/** The same if a heading is its name, which a tool for all of them has not; the title of one of many may begin with its name, too. */
export function thingNamed(heading: string): string | undefined {
  if (heading === '') return undefined
  const own = headingHere()
  if (heading === own) return thingHere()
  // The title of the page names what it is about before the website.
  const {title} = document
  const isName = title.includes(heading) && !title.endsWith(heading) && idsIn(pagePath(), own).length > 0
  return isName ? (thingHere() ?? own) : undefined
}
