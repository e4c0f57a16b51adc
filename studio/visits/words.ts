import {latestTag, policyOf, type TaggedSite} from '../install/tags.ts'

/** Why no page may have asked for its tools, and what to do about each. */
export function visitCauses(
  publicId: string,
  origin: string,
): {readonly cause: string; readonly remedy: string}[] {
  return [
    {
      cause: 'The script tag is not on the page.',
      remedy:
        'Send the message below to the person who edits the pages. If pages are kept in a cache, empty it.',
    },
    {
      cause: 'The tag on the page belongs to another site.',
      remedy: `It must say data-site="${publicId}": replace it with the one above.`,
    },
    {
      cause: 'The page forbids scripts and requests that it does not know (its Content-Security-Policy).',
      remedy:
        'The message below says what it must allow. If the panel opens on the page, it shows the line to change.',
    },
    {
      cause: 'A consent banner, a tag manager or an ad blocker holds the tag back.',
      remedy: 'Accept the banner, and try a window without extensions.',
    },
    {
      cause: 'Your browser cannot offer tools to agents (it has no WebMCP), so the page never asks.',
      remedy:
        '“Agents” says which browsers can. “Open the page with drafts” in a menu shows the tools in any browser.',
    },
    {
      cause: 'The page cannot reach the service.',
      remedy: `Open ${origin}/snippet.js in a new tab, also on a phone without your network: you must see code.`,
    },
  ]
}

/** What a person who does not edit the pages sends to one who does, as a mail. */
export function messageToDeveloper(origin: string, site: TaggedSite): string {
  return `Hello,

please add this tag to the <head> of every page:

${latestTag(origin, site)}

If the pages send a Content-Security-Policy, please add to it:

${policyOf(origin).replace('; ', '\n')}

If it has such a line, add the address to that one. If it has only default-src, the new line also needs what default-src allows. If it allows scripts by nonce, give the tag the nonce of the page (nonce="…") instead of the script-src line.

Thank you!`
}
