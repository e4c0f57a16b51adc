/** In the fragment of a link, and in the storage of a tab: asks the snippet to load the panel. */
export const PREVIEW_KEY = 'handrail-preview'

/** The value that asks for the panel without drafts. */
export const PANEL_ONLY = 'panel'

/**
 * The link that opens a page with the drafts of a site.
 * @param pageUrl a fragment in it is replaced.
 * @param code works once: scripts of the page, its analytics and its service worker may see it.
 */
export function previewLink(pageUrl: string, publicId: string, code: string): string {
  const url = new URL(pageUrl)
  url.hash = `${PREVIEW_KEY}=${publicId}.${code}`
  return url.href
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
