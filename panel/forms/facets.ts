import {type FormField, isSearched, OF_ONE, PAGED} from '../../making/inputs.ts'
import {all} from '../../snippet/page.ts'
import {textOf} from './controls.ts'
import {headingHere, NAMED, onceHere} from './thisPage.ts'

/** What arranges what a page shows, or leads through it or its website. */
const NO_FACET =
  'th, thead, [class*=pagina i], [class*=breadcrumb i], [class*=pager i], header, footer, nav:not([class*=filter i], [class*=facet i], [aria-label*=filter i])'

/** Names of what arranges what a page shows, or says which part of a website is shown. */
const NO_FACETS =
  /sort|order|^(?:dir|direction|per_?page|limit|lang|language|locale|view|format|tab|mode|do|action|o)$/i

const MOST_CHOICES = 40

/** Links that are looked at: long pages would become slow. */
const MOST_LINKS = 500

/** What a link chooses of what a page shows, with an empty value if it shows all of it again. Undefined: it leads elsewhere. */
function facetOf(link: HTMLAnchorElement, here: URL) {
  const url = URL.parse(link.href)
  if (url?.origin !== here.origin || url.pathname !== here.pathname || link.closest(NO_FACET))
    return undefined
  const changed = [...url.searchParams].filter(([name, value]) => here.searchParams.get(name) !== value)
  const [[name = '', value = ''] = [], ...more] = changed
  const label = labelOf(link)
  const isOther = PAGED.test(name) || NO_FACETS.test(name) || OF_ONE.test(name) || NAMED.test(name)
  const lost = [...here.searchParams.keys()].filter(
    (name) => !PAGED.test(name) && !url.searchParams.has(name),
  )
  const isAny = changed.length === 0 && lost.length === 1
  return isAny || (lost.length === 0 && more.length === 0 && value && label && !isOther)
    ? {name, value, label, link}
    : undefined
}

function labelOf(link: Element): string {
  return textOf(link).replace(/\s*\(?\d+\)?$/, '')
}

const HEADING = 'h2, h3, h4, h5, h6, dt, summary, legend, strong, label, p, span'

/** What is written above links. */
function headingOf(link: Element): string {
  const box = link.closest('ul, ol, dl, details, fieldset') ?? link
  const above = box.previousElementSibling ?? box.parentElement?.previousElementSibling
  const text = textOf(box.querySelector('summary, legend, dt') ?? (above?.matches(HEADING) ? above : null))
  return text.length <= LONGEST_LABEL ? text : ''
}

/** Characters of a text that names what can be chosen. */
const LONGEST_LABEL = 40

/** What links of a page can choose of what it shows. */
export function linkedFields(here: URL): FormField[] {
  const links = all<HTMLAnchorElement>('a[href]')
    .slice(0, MOST_LINKS)
    .flatMap((link) => facetOf(link, here) ?? [])
  const found = links.filter(({value}) => value !== '')
  const heading = headingHere().toLowerCase()
  const own = () =>
    all<HTMLAnchorElement>('a[href]')
      .filter(({href}) => href.replace(/#.*/, '') === here.href.replace(/#.*/, ''))
      .map(labelOf)
      .find((label) => label && heading.includes(label.toLowerCase()))
  return [...Map.groupBy(found, ({name}) => name)].flatMap(([name, linked]) => {
    const now = here.searchParams.get(name)
    const known = [...(now ? [{value: now, label: own() ?? now}] : []), ...linked]
    const choices = [...new Map(known.map(({value, label}) => [value, {value, label}])).values()]
    const label = linked[0] ? headingOf(linked[0].link) : ''
    const field = {name, label, type: '', isRequired: false, isList: false, choices}
    // What several have in common, such as a size, is data.
    const areApart = new Set(choices.map(({label}) => label)).size === choices.length
    return areApart && choices.length > 1 && choices.length <= MOST_CHOICES ? [field] : []
  })
}

/** What was searched for, and what was chosen by links: headings may say it. */
export const chosenHere = onceHere((): string[] => {
  const here = new URL(location.href)
  const words = [...here.searchParams].flatMap(([name, value]) =>
    isSearched(name) && value.length > 1 ? [value] : [],
  )
  const labels = linkedFields(here).flatMap(({name, choices = []}) =>
    choices.flatMap(({value, label}) => (value === here.searchParams.get(name) ? [label] : [])),
  )
  return [...words, ...labels]
})

/** Boxes of what people choose of a list. */
export const FILTER = ':is([class*=filter i], [class*=facet i]):not(html, body, main)'

const CHOICE = ':is([type=checkbox], [type=radio], [role=checkbox], [role=radio])'

/** Whether it chooses what the page shows, or leads to its parts, as lists of links to the same page do. */
export function isFilter(element: Element): boolean {
  if (element.closest(FILTER) && element.querySelector(CHOICE) && !element.querySelector('a[href]'))
    return true
  if (!element.matches('ul, ol')) return false
  const here = new URL(location.href)
  const page = (link: HTMLAnchorElement | Location) => link.href.replace(/#.*/, '')
  const isPart = (link: HTMLAnchorElement) =>
    link.hash.length > 1 && (page(link) === page(location) || link.matches('[href^="#"]'))
  const links = [...element.querySelectorAll<HTMLAnchorElement>('a[href]')].slice(0, MAX_LINKS)
  const chosen = links.filter((link) => facetOf(link, here) || isPart(link))
  // Comments say more than the links to them and to an answer.
  const linked = links.reduce((sum, link) => sum + textOf(link).length, 0)
  const areLinks = links.length === MAX_LINKS || textOf(element).length < 2 * linked
  return chosen.length > 0 && chosen.length >= links.length - 1 && areLinks
}

/** Links of a list that say whether all of them lead to the same page. */
const MAX_LINKS = 20
