/** The build of the snippet that the service currently serves. */
export type SnippetBuild = {
  /** The first 16 hexadecimal characters of its SHA-384: part of its address. */
  hash: string
  /** https://www.w3.org/TR/SRI/ */
  integrity: string
}

/** What a tag says of its site. */
export type TaggedSite = {
  readonly publicId: string
  /** Whether the fragment of an address says which page it is. */
  readonly hasHashRouter: boolean
}

/**
 * The script tag that always loads the newest snippet. `crossorigin` lets the browser use one connection for the script and
 * the config: those with and without credentials are separate.
 * @param more further attributes
 */
export function latestTag(serviceOrigin: string, site: TaggedSite, more = ''): string {
  return `<script async crossorigin src="${serviceOrigin}/snippet.js" ${attributesOf(site)}${more}></script>`
}

/** A script tag for one build of the snippet. The browser runs only exactly this build. */
export function pinnedTag(serviceOrigin: string, site: TaggedSite, {hash, integrity}: SnippetBuild): string {
  return `<script async src="${serviceOrigin}/snippet.${hash}.js" integrity="${integrity}" crossorigin="anonymous" ${attributesOf(site)}></script>`
}

function attributesOf({publicId, hasHashRouter}: TaggedSite): string {
  return `data-site="${publicId}"${hasHashRouter ? ' data-hash-router' : ''}`
}

/** The address of the script that names the site itself, for tag managers. */
export function addressWithSite(serviceOrigin: string, {publicId, hasHashRouter}: TaggedSite): string {
  return `${serviceOrigin}/snippet.js?site=${publicId}${hasHashRouter ? '&hashRouter' : ''}`
}

/** What a page's Content-Security-Policy must allow in addition. */
export function policyOf(serviceOrigin: string): string {
  return `script-src ${serviceOrigin}; connect-src ${serviceOrigin}`
}
