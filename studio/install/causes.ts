import {policyOf} from './tags.ts'

/** Why a page may not have shown or asked for anything, and what to do about it. */
export type Cause = readonly [cause: string, remedy: string]

/** What can be the case in every browser. @param tagIs where the script tag is */
export function causesOf(
  publicId: string,
  origin: string,
  tagIs = 'in “Install” on the site’s page',
): Cause[] {
  return [
    ['The script tag is not on the page.', `It is ${tagIs}. If pages are kept in a cache, empty it.`],
    ['The tag on the page belongs to another site.', `It must say data-site="${publicId}".`],
    [
      'The page forbids scripts and requests that it does not know (its Content-Security-Policy).',
      `It must also allow ${policyOf(origin)}`,
    ],
    [
      'A consent banner, a tag manager or an ad blocker holds the tag back.',
      'Accept the banner, and try a window without extensions.',
    ],
    ['The address leads to another page, such as one to sign in.', 'Look at the address in the tab.'],
    [
      'The page cannot reach the service.',
      `Open ${origin}/snippet.js in a new tab, also on a phone without your network: you must see code.`,
    ],
  ]
}
