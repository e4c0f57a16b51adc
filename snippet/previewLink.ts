/** In the fragment of a link, and in the storage of a tab: asks the snippet to load the panel. */
export const PREVIEW_KEY = 'handrail-preview'

/** Where a link's code begins. Routers that read the fragment take it for a parameter of their page, `#/cart?handrail-preview=`, or for one. */
export const PREVIEW_LINK = /\Whandrail-preview=/

/** The value that asks for the panel without drafts. */
export const PANEL_ONLY = 'panel'

/** In such a link: the panel shows where tools are made. */
const MAKE_TOOL = 'make'

/** What a person shows on the page: a request, parts of the page, or a form. */
const MODES = ['record', 'pick', 'form'] as const

/** The field of a tool that Studio opens a page for. */
export type WantedField = {
  readonly mode: (typeof MODES)[number]
  /** By which Studio knows the field again. */
  readonly key: string
  /** Of the tool, for people. */
  readonly name: string
}

/** What Studio opens a page for, other than to look at it. */
export type Wanted = WantedField | 'new tool'

/**
 * The link that opens a page with the drafts of a site.
 * @param pageUrl a fragment in it is replaced, but for a path that a hash router reads.
 * @param code works once: scripts of the page, its analytics and its service worker may see it.
 */
export function previewLink(pageUrl: string, publicId: string, code: string, wanted?: Wanted): string {
  const url = new URL(pageUrl)
  const route = /^#!?\//.test(url.hash) ? `${url.hash}${url.hash.includes('?') ? '&' : '?'}` : ''
  url.hash = `${route}${PREVIEW_KEY}=${publicId}.${code}${wanted === undefined ? '' : `&${queryOf(wanted)}`}`
  return url.href
}

function queryOf(wanted: Wanted): string {
  if (wanted === 'new tool') return MAKE_TOOL
  return `${new URLSearchParams({make: wanted.mode, for: wanted.key, tool: wanted.name})}`
}

/** Reads what follows the first `&` of such a link. */
export function parseWanted(query: string): WantedField | undefined {
  const params = new URLSearchParams(query)
  const mode = MODES.find((one) => one === params.get('make'))
  const key = params.get('for')
  return mode && key ? {mode, key, name: params.get('tool') ?? ''} : undefined
}

/**
 * A `javascript:` URL for a bookmark that opens the panel without drafts on any page with a tag. It lets the
 * snippet load the panel, so the page's policy needs to allow nothing more than the snippet.
 */
export function bookmarklet(): string {
  return `javascript:${encodeURIComponent(
    `(()=>{if(!document.querySelector('script[data-site],script[src*="/snippet."]'))return alert('This page has no Handrail tag.');` +
      `try{sessionStorage['${PREVIEW_KEY}']='${PANEL_ONLY}'}catch{return alert('This page may not store anything, so the panel cannot be opened.')}` +
      `location.reload()})()`,
  )}`
}
