import type {SnippetBuild} from './service.ts'

/** The tag that a page embeds: it always loads the newest snippet. */
export function latestTag(serviceOrigin: string, publicId: string): string {
  return `<script async src="${serviceOrigin}/snippet.js" data-site="${publicId}"></script>`
}

/** A tag for one build of the snippet, which a browser runs only if it is byte for byte that one. */
export function pinnedTag(serviceOrigin: string, publicId: string, build: SnippetBuild): string {
  return [
    '<script async',
    `src="${serviceOrigin}/snippet.${build.hash}.js"`,
    `integrity="${build.integrity}" crossorigin="anonymous"`,
    `data-site="${publicId}"></script>`,
  ].join(' ')
}

/** What a page's Content-Security-Policy must allow, beside what it allows already. */
export function policyOf(serviceOrigin: string): string {
  return `script-src ${serviceOrigin}; connect-src ${serviceOrigin}`
}
