import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import type {Versions} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** What is left to do until a new site offers tools. */
export type Step = ReturnType<typeof nextSteps>[number]

/** What is done about a step. */
export type StepId = (typeof STEPS)[number]['id']

/** Milliseconds for which a published site is new. */
const NEW_FOR = 14 * 86_400_000

/**
 * The steps from a new site to its first tool, in order. None for a site that is not new.
 * @param isSeen whether a page with the tag was seen
 * @param runningSite the public ID of the site that runs together with Studio, whose pages have the tag
 */
export function nextSteps(
  {published, draft}: Versions,
  {tools}: CheckedSite,
  isSeen: boolean,
  runningSite: string | undefined,
  now = Date.now(),
) {
  if (published !== undefined && Date.parse(textOf(published._createdAt)) < now - NEW_FOR) return []
  const site = draft ?? published
  const done: Record<StepId, boolean> = {
    publish: published !== undefined,
    address: Array.isArray(site?.addresses) && site.addresses.length > 0,
    tag: isSeen || (runningSite !== undefined && site?.publicId === runningSite),
    tool: tools.some(({isPublished}) => isPublished),
  }
  return STEPS.map((step) => ({...step, isDone: done[step.id]}))
}

const STEPS = [
  {
    id: 'publish',
    title: 'Publish the site',
    text: 'Until then, its pages get no tools. Open its settings and choose “Publish”.',
  },
  {
    id: 'address',
    title: 'Add its address',
    text: 'With it, Studio can open pages of the site and show drafts there. It is in the settings, under “Addresses”.',
  },
  {
    id: 'tag',
    title: 'Put the tag into its pages',
    text: 'One line of HTML, once for all tools. Copy it, or send it to the person who edits the pages. Then open a page: a panel appears at its edge, and Studio sees it.',
  },
  {
    id: 'tool',
    title: 'Make and publish the first tool',
    text: 'Show on your page what it does, or start from a recipe and change it.',
  },
] as const

type Items = Pick<Storage, 'getItem' | 'setItem'>

/** Whether a page of a site showed a preview that was opened in this browser: it has the tag. */
export function wasShown(siteId: string, storage: Items): boolean {
  return storage.getItem(keyOf(siteId)) !== null
}

/** Remembers that a page of a site showed a preview. */
export function noteShown(siteId: string, storage: Items): void {
  storage.setItem(keyOf(siteId), 'shown')
}

function keyOf(siteId: string): string {
  return `handrail.steps.${siteId}`
}
