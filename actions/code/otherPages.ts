/** Finds the button that loads more of a list. */
export const MORE_OF = `// The button after the last entry of a list that loads more of it, by its words: no other is pressed.
const moreOf = (entry) => {
  const words = /^\\W*(?:(?:load|show|see|view) (?:\\d+ )?more|more results|mehr (?:laden|anzeigen)|weitere \\p{L}*\\s?(?:laden|anzeigen)|(?:voir|afficher) plus|(?:ver|mostrar|cargar) más|(?:mostra|carica) altr[ie]|(?:ver|carregar) mais|meer (?:laden|tonen))(?!\\p{L})/iu
  for (let place = entry, step = 0; place?.parentElement && step < 4; place = place.parentElement, step++) {
    const buttons = [...place.parentElement.querySelectorAll('button, [role=button], a[href^="#"], a:not([href])')]
    const found = buttons.find((button) => place.compareDocumentPosition(button) === 4 && !button.disabled &&
      words.test(button.ariaLabel ?? button.textContent) && button.checkVisibility())
    if (found) return found
  }
}`

/** Finds where the next page of a list is. */
export const NEXT_OF = `// Where the next page of lists is: as the page says, by its words, or by its number. Strangers write entries and comments, and may
// link to what changes something: a link has the same path, and stands in the head or after the last entry of each list.
const nextOf = (page, here, lists) => {
  const at = new URL(here)
  const placeOf = ({pathname}) => pathname.replace(/\\/page\\/\\d+|\\/$/g, '')
  const numberOf = ({pathname, search}) =>
    Number(/(?:[?&]_?(?:p|pgn?|page|paged|seite)=|\\/page\\/)(\\d+)/i.exec(pathname + search)?.[1] ?? 1)
  const ends = lists.flatMap(({kind, selector}) => {
    const [first, ...more] = page.querySelectorAll(selector.split('>>>')[0])
    return (kind === 'table' ? first : more.at(-1) ?? first) ?? []
  })
  const isAfter = (link) => ends.every((end) => end.compareDocumentPosition(link) === 4)
  const links = Array.from(page.querySelectorAll('link[rel~=next][href], a[href]:not([rel~=ugc])'), (link) => ({link, url: URL.parse(link.href)}))
    .filter(({link, url}) => url?.origin === at.origin && placeOf(url) === placeOf(at) &&
      url.pathname + url.search !== at.pathname + at.search && ends[0] && (link.closest('head') || isAfter(link)) &&
      !link.closest('.disabled, [aria-disabled=true]'))
  const words = /^\\W*(?:go to |zur )?(?:next|older|nächste[rs]?|weiter|suivante?|siguiente|successiv[ao]|próxim[ao]|volgende)(?!\\p{L})|^\\W*(?:load more|more results|mehr (?:laden|ergebnisse))(?!\\p{L})|^\\s*[›»→>]{1,2}\\s*$/iu
  const isNext = ({link}) => [link.ariaLabel, link.textContent, link.title].some((text) => words.test(text ?? '')) ||
    link.closest('[class~=next]') || link.matches('[class*=pagination-next]')
  const found = links.find(({link}) => /\\bnext\\b/i.test(link.rel)) ?? links.find(isNext) ??
    links.find(({url}) => numberOf(url) === numberOf(at) + 1)
  return found?.url.href.replace(/#.*/, '')
}`

/** Reads pages that are not open. */
export const PAGE_OF = `// Nothing of the page runs or loads: this parser leaves scripts out, so that all policies of pages allow it.
const pageIn = (text, address) => {
  const page = Document.parseHTML?.(text, {sanitizer: {}}) ?? new DOMParser().parseFromString(text, 'text/html')
  const [, own = ''] = /<base\\s[^>]*?href=["']?([^"'\\s>]+)/i.exec(text) ?? []
  const base = URL.parse(own, address) ?? address
  for (const link of page.querySelectorAll('[href]'))
    link.setAttribute('href', URL.parse(link.getAttribute('href'), base)?.href ?? link.getAttribute('href'))
  return page
}
// The page that a website sent, in its own encoding; undefined: it sent none.
const pageOf = async (response) => {
  const type = response.headers.get('content-type') ?? ''
  if (!/html/i.test(type)) return
  const bytes = await response.arrayBuffer()
  const start = new TextDecoder('latin1').decode(bytes.slice(0, 1_024))
  const [, encoding = 'utf-8'] = /charset\\s*=\\s*["']?([\\w-]+)/i.exec(type + ' ' + start) ?? []
  return pageIn(new TextDecoder(encoding).decode(bytes), response.url)
}`
