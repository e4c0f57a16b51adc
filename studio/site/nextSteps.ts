import type {CheckedSite} from '../../advice/diagnosis/site.ts'
import {jsonIn} from '../../common/json.ts'
import type {Versions} from '../../schemas/documents.ts'
import {textOf} from '../../schemas/rules/text.ts'

/** What is left to do until a new site offers tools. */
export type Step = ReturnType<typeof nextSteps>[number]

export type StepId = (typeof STEPS)[number]['id']

/** The steps that only a person can see to be done: the pages are not Studio's. */
export const CONFIRMED_STEPS: readonly StepId[] = ['tag', 'check']

/** Milliseconds for which a published site is new. */
const NEW_FOR = 14 * 86_400_000

/**
 * The steps from a new site to its first tool, in order. None for a site that is not new.
 * @param confirmed the steps that somebody said are done
 * @param runningSite the public ID of the site that runs together with Studio, whose pages have the tag
 */
export function nextSteps(
  {published, draft}: Versions,
  {tools}: CheckedSite,
  confirmed: ReadonlySet<StepId>,
  runningSite: string | undefined,
  now = Date.now(),
) {
  if (published !== undefined && Date.parse(textOf(published._createdAt)) < now - NEW_FOR) return []
  const site = draft ?? published
  const hasTag = runningSite !== undefined && site?.publicId === runningSite
  const done: Record<StepId, boolean> = {
    publish: published !== undefined,
    address: Array.isArray(site?.addresses) && site.addresses.length > 0,
    tag: hasTag || confirmed.has('tag') || confirmed.has('check'),
    check: hasTag || confirmed.has('check'),
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
    text: 'One line of HTML, once for all tools. Copy it from “Install”, or send it to the person who edits the pages.',
  },
  {
    id: 'check',
    title: 'Check that it works',
    text: 'Open a page of the site from here. If a panel appears at its edge, the tag works.',
  },
  {
    id: 'tool',
    title: 'Make and publish the first tool',
    text: 'Show on your page what it does, or start from a recipe and change it.',
  },
] as const

type Items = Pick<Storage, 'getItem' | 'setItem'>

/** The steps of a site that somebody confirmed in this browser. */
export function confirmedSteps(siteId: string, storage: Items): Set<StepId> {
  const stored = jsonIn(storage.getItem(keyOf(siteId)) ?? '')
  return new Set(CONFIRMED_STEPS.filter((step) => Array.isArray(stored) && stored.includes(step)))
}

/** Remembers that a step is done. */
export function confirmStep(siteId: string, step: StepId, storage: Items): void {
  storage.setItem(keyOf(siteId), JSON.stringify([...confirmedSteps(siteId, storage), step]))
}

function keyOf(siteId: string): string {
  return `handrail.steps.${siteId}`
}
