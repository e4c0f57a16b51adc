import {latestTag, policyOf, type TaggedSite} from '../install/tags.ts'

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
