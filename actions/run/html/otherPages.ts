import {MAX_ANSWER} from '../bounds.ts'

/** A part of a page that is a list, of which other pages may have more. */
export type ListPlan = {readonly kind: string; readonly selector: string}

const MORE_WORDS =
  /^\W*(?:(?:load|show|see|view) (?:\d+ )?more|more results|mehr (?:laden|anzeigen)|weitere \p{L}*\s?(?:laden|anzeigen)|(?:voir|afficher) plus|(?:ver|mostrar|cargar) más|(?:mostra|carica) altr[ie]|(?:ver|carregar) mais|meer (?:laden|tonen))(?!\p{L})/iu

const NEXT_WORDS =
  /^\W*(?:go to |zur )?(?:next|older|nächste[rs]?|weiter|suivante?|siguiente|successiv[ao]|próxim[ao]|volgende)(?!\p{L})|^\W*(?:load more|more results|mehr (?:laden|ergebnisse))(?!\p{L})|^\s*[›»→>]{1,2}\s*$/iu

/** The button after the last entry of a list that loads more of it, by its words: no other is pressed. */
export function moreOf(entry: Element | undefined): HTMLElement | undefined {
  for (
    let place = entry, step = 0;
    place?.parentElement && step < 4;
    place = place.parentElement, step += 1
  ) {
    const buttons = place.parentElement.querySelectorAll<HTMLElement>(
      'button, [role=button], a[href^="#"], a:not([href])',
    )
    for (const button of buttons)
      if (
        place.compareDocumentPosition(button) === 4 &&
        !('disabled' in button && button.disabled) &&
        MORE_WORDS.test(button.ariaLabel ?? button.textContent ?? '') &&
        button.checkVisibility()
      )
        return button
  }
  return undefined
}

/**
 * Where the next page of lists is: as the page says, by its words, or by its number. Strangers write entries and comments, and
 * may link to what changes something: a link has the same path, and stands in the head, or after the last entry of each list
 * with a query that differs only in the page.
 */
export function nextOf(
  page: Document | Element,
  here: string,
  lists: readonly ListPlan[],
): string | undefined {
  const at = new URL(here)
  const ends = lists.flatMap(({kind, selector}) => {
    const found = [...page.querySelectorAll(selector.split('>>>')[0] ?? '')]
    return found.at(kind === 'table' ? 0 : -1) ?? []
  })
  // The browser would walk through the page to compare the places of two elements.
  const places = new Map([...page.querySelectorAll('*')].map((element, at) => [element, at]))
  const end = Math.max(...ends.map((end) => Number(places.get(end)) + end.querySelectorAll('*').length))
  const isInHead = (link: Element) => link.closest('head')
  const isInPlace = (link: Element) => ends.length > 0 && (isInHead(link) || Number(places.get(link)) > end)
  const links = [
    ...page.querySelectorAll<HTMLAnchorElement | HTMLLinkElement>(
      'link[rel~=next][href], a[href]:not([rel~=ugc], [rel~=nofollow]:not([rel~=next]))',
    ),
  ].flatMap((link) => {
    const url = isInPlace(link) && URL.parse(link.href)
    return url &&
      url.origin === at.origin &&
      placeOf(url) === placeOf(at) &&
      url.pathname + url.search !== at.pathname + at.search &&
      (isInHead(link) || isOfSameQuery(url, at)) &&
      !link.closest('.disabled, [aria-disabled=true]')
      ? [{link, url}]
      : []
  })
  const isNext = ({link}: {link: HTMLElement}) =>
    [link.ariaLabel, link.textContent, link.title].some((text) => NEXT_WORDS.test(text ?? '')) ||
    link.closest('[class~=next]') ||
    link.matches('[class*=pagination-next]')
  const found =
    links.find(({link}) => /\bnext\b/i.test(link.rel)) ??
    links.find(isNext) ??
    links.find(({url}) => numberOf(url) === numberOf(at) + 1)
  return found?.url.href.replace(/#.*/, '')
}

/** Parameters that lead from page to page. */
const LEADS_ON =
  /^_?(?:p|pgn?|page|paged|seite|page_?(?:no|num|number|index)|offset|skip|start|from|cursor|after|next)$/i

function isOfSameQuery({searchParams}: URL, at: URL): boolean {
  return [...searchParams].every(
    ([name, value]) => LEADS_ON.test(name) || at.searchParams.getAll(name).includes(value),
  )
}

function placeOf({pathname, search}: URL): string {
  // WordPress has posts by their numbers there.
  const [post = ''] = (pathname === '/' && /^\?p=\d+$/.exec(search)) || []
  return pathname.replace(/\/page\/\d+|\/$/g, '') + post
}

function numberOf({pathname, search}: URL): number {
  const [, number = 1] = /(?:[?&]_?(?:p|pgn?|page|paged|seite)=|\/page\/)(\d+)/i.exec(pathname + search) ?? []
  return Number(number)
}

/** Elements without an end, or of which the next one is the end. */
const NO_END =
  /^(?:a|area|base|br|button|col|d[dt]|embed|hr|img|input|li|link|meta|nobr|opt\w+|p|r[pt]|source|t[dhr]|tbody|thead|tfoot|track|wbr)$/

/** Elements that a parser opens again in each one that follows, until they end. */
const OPEN_AGAIN = /^(?:[bisu]|big|code|em|font|small|strike|strong|tt)$/

/** What separates attributes, or one of them. */
const ATTRIBUTE = /[\s/]+|[^\s/>][^\s/>=]*(?:\s*=\s*(?:"[^"]*"?|'[^']*'?|[^\s>]*))?/y

/** Whether a parser would be busy for too long: at each tag, it looks at all elements that are open. */
function isTooLarge(text: string): boolean {
  const open: string[] = []
  let work = 0
  for (const {0: tag, 1: end, 2: name = '', index} of text.matchAll(/<(\/?)([a-z][\w-]*)(?:[^<>]*\/>)?/gi)) {
    // To tell one attribute from the others of its tag takes longer, the more there are.
    const start = index + name.length
    let count = 0
    let last = start
    ATTRIBUTE.lastIndex = start
    while (ATTRIBUTE.test(text)) {
      count += 1
      last = ATTRIBUTE.lastIndex
    }
    work += open.length + 10 + (last - start) / 64 + count * (count > 2_000 ? 10 : 0.25)
    const kind = name.toLowerCase()
    const at = open.lastIndexOf(kind)
    if (OPEN_AGAIN.test(kind) && !end) work += 1_000 * open.filter((one) => one === kind).length
    if (work > MAX_WORK) return true
    if (NO_END.test(kind) || (tag.endsWith('>') && open.includes('svg'))) continue
    if (!end) open.push(kind)
    // What is in a cell ends nothing around its table.
    else if (at >= 0 && at >= open.lastIndexOf('table')) open.splice(at, 1)
  }
  return false
}

const MAX_WORK = 2_000_000

/** Milliseconds of work after which the browser does what waits. */
const SLICE = 30

/** What ends work: an agent that does not wait any longer. */
type Ending = {readonly signal?: AbortSignal}

/** Waits until the browser has done what waits, also on a page that is not seen, which has few timers. */
export function rest(call: Ending): Promise<unknown> | undefined {
  // Pages have variables of this name.
  return self.scheduler?.postTask?.(() => {}, call)
}

/** Does something with each; between them, the browser does what waits. */
export async function forEach<One>(all: Iterable<One>, act: (one: One) => void, call: Ending): Promise<void> {
  let since = 0
  for (const one of all) {
    if (performance.now() - since > SLICE) {
      await rest(call)
      since = performance.now()
    }
    act(one)
  }
}

/** A page of which nothing runs or loads: this parser leaves scripts out, so that all policies of pages allow it. */
function parsed(text: string): Document {
  const Parser: {readonly prototype: Document; parseHTML?(text: string, options: object): Document} = Document
  return Parser.parseHTML?.(text, {sanitizer: {}}) ?? new DOMParser().parseFromString(text, 'text/html')
}

/** Makes the address of a link one that is right everywhere. */
function resolver(text: string, address: string) {
  const [, own = ''] = /<base\s[^<>]*?href=["']?([^"'\s>]+)/i.exec(text) ?? []
  const base = URL.parse(own, address)?.href ?? address
  return (link: Element) => {
    const href = link.getAttribute('href') ?? ''
    link.setAttribute('href', URL.parse(href, base)?.href ?? href)
  }
}

/** The page of this text. */
export function pageIn(text: string, address: string): Document {
  const page = parsed(text)
  page.querySelectorAll('[href]').forEach(resolver(text, address))
  return page
}

/** The text of a page in its own encoding. @param type of its content */
export function decoded(bytes: ArrayBuffer, type: string): string {
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 1_024))
  for (const [, encoding] of `${type} ${start}`.matchAll(/charset\s*=\s*["']?([\w-]+)/gi))
    try {
      return new TextDecoder(encoding).decode(bytes)
    } catch {
      // Browsers pass over an encoding that they do not know.
    }
  return new TextDecoder().decode(bytes)
}

/** The page that a website sent; undefined: it sent none, or one that is too large. */
export async function pageOf(response: Response, call: Ending = {}): Promise<Document | undefined> {
  const type = response.headers.get('content-type') ?? ''
  if (!/html/i.test(type)) return undefined
  const bytes = await response.arrayBuffer()
  const text = decoded(bytes, type)
  if (bytes.byteLength > MAX_ANSWER || isTooLarge(text)) return undefined
  await rest(call)
  const page = parsed(text)
  await forEach(page.querySelectorAll('[href]'), resolver(text, response.url), call)
  return page
}
