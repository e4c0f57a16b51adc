import {counted} from '../../common/text/counted.ts'
import {latestTag, policyOf, type TaggedSite} from '../install/tags.ts'

/** When pages of a site last asked for their tools, in milliseconds since 1970 by the clock of the service. */
export type SiteVisits = {
  readonly now: number
  /** Undefined: no page is known to have asked. */
  readonly seenAt: number | undefined
  /** By the IDs of tools. */
  readonly tools: ReadonlyMap<string, number>
}

/** What Studio says about visits. `old`: pages asked, but not lately. */
export type Seen = {readonly state: 'seen' | 'old' | 'never'; readonly text: string}

/** Milliseconds after which a site counts as not visited lately. */
const OLD_AFTER = 86_400_000

/** Says when a page of a site last asked for its tools. */
export function describeSiteVisits({now, seenAt}: SiteVisits): Seen {
  if (seenAt === undefined) return {state: 'never', text: 'No page has asked yet'}
  return {state: now - seenAt > OLD_AFTER ? 'old' : 'seen', text: `Seen ${ago(now - seenAt)}`}
}

/** The same for the pages of one tool. */
export function describeToolVisits({now, tools}: SiteVisits, id: string): Seen {
  const seenAt = tools.get(id)
  if (seenAt === undefined) return {state: 'never', text: 'None of its pages has asked for it yet'}
  return {
    state: now - seenAt > OLD_AFTER ? 'old' : 'seen',
    text: `Its pages were asked for ${ago(now - seenAt)}`,
  }
}

/** What to check if no page asks for its tools. */
export function visitCauses(publicId: string, origin: string): string[] {
  return [
    'The page does not have the script tag. “Install” shows it: add it, or send it to the person who edits the pages.',
    `The tag on the page is for another site. The public ID of this one is ${publicId}.`,
    `The page’s Content-Security-Policy blocks the tag, or its requests. It must allow ${origin}: “Install” has the words for it.`,
    'The browser has no WebMCP, or it is not switched on. Other browsers never ask for tools. “Agents” says which have it.',
    `The page cannot reach the service at ${origin}. Check this address, and that it works outside your network too.`,
  ]
}

/** What a person who does not edit the pages sends to one who does. */
export function messageToDeveloper(origin: string, site: TaggedSite): string {
  return `Please add this tag to the <head> of every page:

${latestTag(origin, site)}

If the pages send a Content-Security-Policy, it must also allow: ${policyOf(origin)}
If it allows scripts by nonce, add the nonce to the tag instead of the script-src.`
}

const UNITS: readonly [name: string, milliseconds: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

function ago(milliseconds: number): string {
  const [name, length] = UNITS.find(([, unit]) => milliseconds >= unit) ?? []
  if (name === undefined || length === undefined) return 'less than a minute ago'
  return `${counted(Math.floor(milliseconds / length), name)} ago`
}
