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
 */
export function latestTag(serviceOrigin: string, {publicId, hasHashRouter}: TaggedSite): string {
  return `<script async crossorigin src="${serviceOrigin}/snippet.js" data-site="${publicId}"${hasHashRouter ? ' data-hash-router' : ''}></script>`
}

/** The script tag for pages that show the panel to everyone. */
export function panelTag(serviceOrigin: string, site: TaggedSite): string {
  return latestTag(serviceOrigin, site).replace('></script>', ' data-panel></script>')
}

/** A script tag for one build of the snippet. The browser runs only exactly this build. */
export function pinnedTag(
  serviceOrigin: string,
  {publicId, hasHashRouter}: TaggedSite,
  build: SnippetBuild,
): string {
  return [
    '<script async',
    `src="${serviceOrigin}/snippet.${build.hash}.js"`,
    `integrity="${build.integrity}" crossorigin="anonymous"`,
    `data-site="${publicId}"${hasHashRouter ? ' data-hash-router' : ''}></script>`,
  ].join(' ')
}

/** A tag for templates that know the path of their page: the browser requests the config together with the script. */
export function preloadTag(serviceOrigin: string, publicId: string): string {
  return `<link rel="preload" as="fetch" crossorigin href="${serviceOrigin}/api/sites/${publicId}/config?path=PATH">`
}

/** The address of the script that names the site itself, for tag managers. */
export function addressWithSite(serviceOrigin: string, {publicId, hasHashRouter}: TaggedSite): string {
  return `${serviceOrigin}/snippet.js?site=${publicId}${hasHashRouter ? '&hashRouter' : ''}`
}

/** What a page's Content-Security-Policy must allow in addition. */
export function policyOf(serviceOrigin: string): string {
  return `script-src ${serviceOrigin}; connect-src ${serviceOrigin}`
}
