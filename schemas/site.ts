import {EarthGlobeIcon} from '@sanity/icons/EarthGlobe'
import {defineField, defineType, type SanityDocument} from '@sanity/types'
import {publishedIdOf} from './documentId.ts'
import {folded, textEntry} from './fields/shared.ts'
import {ASK_TITLES, parseAskBefore} from './rules/hints/askBefore.ts'
import {parsePageTools, parseToolName} from './rules/names/toolName.ts'
import {parseAddress, parseAddresses} from './rules/origin.ts'
import {DEFAULT_POLL_INTERVAL, parsePollInterval} from './rules/pollInterval.ts'
import {generatePublicId, parsePublicId} from './rules/publicId.ts'
import {parseReview} from './rules/site.ts'
import {hasUniquePublicId, keepsPublicId} from './unique.ts'
import {keeps} from './validation.ts'

/** When a site asks for a review, in words. */
export const REVIEW_TITLES: ReadonlyMap<string, string> = new Map([
  ['none', 'No review'],
  ['scripts', 'When what a tool does, or does without asking, changes'],
  ['all', 'Every change'],
  ['tests', 'Every change, with tests that passed'],
])

/** A website whose pages offer tools. */
export const site = defineType({
  name: 'site',
  type: 'document',
  title: 'Site',
  icon: EarthGlobeIcon,
  fieldsets: [folded('more', 'More settings')],
  fields: [
    defineField({
      name: 'name',
      type: 'string',
      title: 'Name',
      description: 'A name for you and your colleagues. Visitors and agents do not see it.',
      validation: (rule) => rule.required().max(200),
    }),
    defineField({
      name: 'addresses',
      type: 'array',
      title: 'Addresses',
      description:
        'Where the site lives, such as "https://www.example.com", so that Studio can open its pages. You can paste the address of any of its pages. Visitors and agents do not see this.',
      of: [textEntry(parseAddress)],
      validation: (rule) => rule.custom(keeps(parseAddresses)),
    }),
    defineField({
      name: 'review',
      type: 'string',
      title: 'Review before publish',
      description:
        'Which changes a second person must look at before they are published. Somebody asks for a review, and somebody else, who did not write the change, publishes it. To switch this off again, you need a review too. “Every change, with tests that passed” also waits for the tests of a changed tool. They run for each review after your developers have set that up (in CI).',
      options: {
        list: Array.from(REVIEW_TITLES, ([value, title]) => ({title, value})),
        layout: 'radio',
      },
      validation: (rule) => rule.custom(keeps(parseReview)),
    }),
    defineField({
      name: 'enabled',
      type: 'boolean',
      title: 'Enabled',
      fieldset: 'more',
      description:
        'Switch this off to remove all tools from all pages of the site. The tools keep their own settings. Pages that are open already keep their tools until they next check for changes.',
      initialValue: true,
    }),
    defineField({
      name: 'hashRouter',
      type: 'boolean',
      title: 'Pages after “#”',
      fieldset: 'more',
      description:
        'Your pages have addresses such as https://www.example.com/#/cart: /cart is then the page in patterns. After a change, copy the script tag from “Install” once more.',
      initialValue: false,
    }),
    defineField({
      name: 'publicId',
      type: 'string',
      title: 'Public ID',
      fieldset: 'more',
      description:
        'Identifies this site in the embed tag. It is not a secret. You cannot change it after the site is published.',
      initialValue: () => generatePublicId(),
      readOnly: ({document}) => isPublished(document),
      validation: (rule) => [
        rule.required().custom(keeps(parsePublicId)),
        rule.custom(hasUniquePublicId),
        rule.custom(keepsPublicId),
      ],
    }),
    defineField({
      name: 'pollInterval',
      type: 'number',
      title: 'Poll interval',
      fieldset: 'more',
      description:
        'How often open pages check for changes, in seconds: 10 to 86,400. Until then they keep the old tools. A reload checks too, but can show the old tools for up to a minute.',
      initialValue: DEFAULT_POLL_INTERVAL,
      validation: (rule) => [rule.custom(keeps(parsePollInterval))],
    }),
    defineField({
      name: 'askBefore',
      type: 'string',
      title: 'Ask the visitor first',
      fieldset: 'more',
      description:
        'When an agent calls a tool, the page can ask the visitor before it runs, and shows what the agent filled in. The hints “Consequential” and “Read-only” of a tool decide whether it counts. For a form tool, its name decides: the agent fills in the form, and the visitor submits it. Without a choice, the page does not ask.',
      options: {
        list: Array.from(ASK_TITLES, ([value, title]) => ({title, value})),
        layout: 'radio',
      },
      initialValue: 'never',
      validation: (rule) => rule.custom(keeps(parseAskBefore)),
    }),
    defineField({
      name: 'reportCalls',
      type: 'boolean',
      title: 'Count calls',
      fieldset: 'more',
      description:
        'Pages count how often agents call each tool, how each call ended and how long it took, and send these numbers, without arguments, results or anything about the visitor. Studio shows them. In some countries you need the visitors’ consent, or a sentence in your privacy notice: “Privacy” in the guides has both.',
      initialValue: false,
    }),
    defineField({
      name: 'reportAfterConsent',
      type: 'boolean',
      title: 'Only after consent',
      fieldset: 'more',
      description:
        'Pages count nothing until they say that the visitor consents. For that, the people who build the site add a line of code: see “Privacy” in the guides.',
      hidden: ({document}) => document?.reportCalls !== true,
      initialValue: false,
    }),
    defineField({
      name: 'pageTools',
      type: 'array',
      title: 'Tools of the pages themselves',
      description:
        'Names of tools that your pages have without Handrail, such as those of the shop system. “Tell Studio about them” in the panel on a page adds them here. Studio warns of a tool of yours with the same name, and counts them under “Agents”. Visitors and agents do not see this list.',
      of: [textEntry(parseToolName)],
      options: {layout: 'tags'},
      // The panel on a page adds them, so that people need not type them.
      hidden: ({value}) => !Array.isArray(value) || value.length === 0,
      validation: (rule) => rule.custom(keeps(parsePageTools)),
    }),
  ],
  orderings: [{name: 'name', title: 'Name', by: [{field: 'name', direction: 'asc'}]}],
  preview: {
    select: {name: 'name', publicId: 'publicId', enabled: 'enabled'},
    prepare: ({name, publicId, enabled}) => ({
      title: name,
      subtitle: enabled === false ? `${publicId} · switched off` : publicId,
    }),
  },
})

/** Whether the form shows the published document, and not a draft or a version. */
function isPublished(document: SanityDocument | undefined): boolean {
  return document?._rev !== undefined && publishedIdOf(document._id) === document._id
}
