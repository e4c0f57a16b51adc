/**
 * Between the pages of the catalogue, a link replaces the main part instead of loading a page: the URL changes,
 * the document stays. Without this script the links load the same pages.
 */

/** @param {string} path */
const isCatalogue = (path) => path === '/products' || path.startsWith('/products/')

/** The page's policy asks for Trusted Types: only markup from the shop itself may be parsed. */
const policy = window.trustedTypes?.createPolicy('shop', {createHTML: (markup) => markup})

/** @param {string} markup */
const parse = (markup) => new DOMParser().parseFromString(policy?.createHTML(markup) ?? markup, 'text/html')

/** The address of what is shown, without its fragment. */
let shown = location.pathname + location.search
let latest = new AbortController()

/** What differs from page to page. */
const PARTS = ['main', 'header nav']

/**
 * Shows another page of the shop in this document. If that fails, the browser loads the page.
 * @param {string | URL} address
 */
export async function show(address, {scroll = 0, push = true} = {}) {
  if (!(await swap(address, {push}))) return
  document.querySelector('main')?.focus({preventScroll: true})
  scrollTo({top: scroll, behavior: 'instant'})
}

/**
 * Swaps parts of this page for those of another one, which gets its own entry in the history.
 * @param {string | URL} address
 * @param {{push?: boolean, parts?: string[]}} [options] `parts`: selectors
 * @returns whether that other page is shown, and no later one
 */
export async function swap(address, {push = true, parts = PARTS} = {}) {
  const url = new URL(address, location.href)
  latest.abort()
  latest = new AbortController()
  const {signal} = latest
  try {
    const answer = await fetch(url, {signal, headers: {accept: 'text/html'}})
    const page = parse(await answer.text())
    if (push) {
      history.replaceState({scroll: scrollY}, '')
      history.pushState({}, '', url)
    }
    replace(page, parts)
    return true
  } catch {
    if (!signal.aborted) location.assign(url)
    return false
  }
}

/** Updates this page and keeps what the visitor is typing. If that fails, the page stays unchanged. */
export async function refresh() {
  const before = shown
  const page = await fetch(location.href, {headers: {accept: 'text/html'}})
    .then((answer) => answer.text())
    .then(parse)
    .catch(() => undefined)
  if (!page || shown !== before) return
  const typed = fields().filter((field) => field.id && field.value !== field.defaultValue)
  const focused = document.activeElement?.id
  replace(page, PARTS)
  for (const {id, value} of typed) {
    const field = fields().find((other) => other.id === id)
    if (field) field.value = value
  }
  if (focused) document.getElementById(focused)?.focus({preventScroll: true})
}

/** @returns {(HTMLInputElement | HTMLTextAreaElement)[]} */
function fields() {
  return [...document.querySelectorAll('main input, main textarea')].filter(
    (field) => field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement,
  )
}

/**
 * @param {Document} page
 * @param {string[]} parts
 */
function replace(page, parts) {
  shown = location.pathname + location.search
  document.title = page.title
  for (const part of parts) {
    document.querySelector(part)?.replaceChildren(...(page.querySelector(part)?.childNodes ?? []))
  }
  document.dispatchEvent(new Event('page:shown'))
}

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null
  if (!link || event.defaultPrevented || event.button !== 0 || link.target) return
  if (event.metaKey || event.ctrlKey || event.shiftKey || event.altKey) return
  const {origin, pathname, search, hash} = new URL(link.href)
  if (origin !== location.origin || !isCatalogue(pathname) || !isCatalogue(location.pathname)) return
  if (pathname + search === shown && hash) return
  event.preventDefault()
  void show(link.href)
})

addEventListener('popstate', ({state}) => {
  // Fragments create history entries too.
  if (location.pathname + location.search === shown) return
  void show(location.href, {push: false, scroll: state?.scroll ?? 0})
})
