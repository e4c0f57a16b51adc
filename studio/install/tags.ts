import type {SnippetBuild} from './service.ts'

/** The script tag that always loads the newest snippet. */
export function latestTag(serviceOrigin: string, publicId: string): string {
  return `<script async src="${serviceOrigin}/snippet.js" data-site="${publicId}"></script>`
}

/** The script tag for pages that show the panel to everyone. */
export function panelTag(serviceOrigin: string, publicId: string): string {
  return latestTag(serviceOrigin, publicId).replace('></script>', ' data-panel></script>')
}

/** A script tag for one build of the snippet. The browser runs only exactly this build. */
export function pinnedTag(serviceOrigin: string, publicId: string, build: SnippetBuild): string {
  return [
    '<script async',
    `src="${serviceOrigin}/snippet.${build.hash}.js"`,
    `integrity="${build.integrity}" crossorigin="anonymous"`,
    `data-site="${publicId}"></script>`,
  ].join(' ')
}

/** What a page's Content-Security-Policy must allow in addition. */
export function policyOf(serviceOrigin: string): string {
  return `script-src ${serviceOrigin}; connect-src ${serviceOrigin}`
}
