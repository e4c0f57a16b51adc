import {defineField} from '@sanity/types'
import {MAX_PAGES} from '../actions/parts/names.ts'
import {doesNot, keepsAction, nothing} from './actionParts.ts'
import {part} from './pagePart.ts'
import {list} from './shared.ts'

/** The parts of the page that the tool returns. */
export const reading = defineField({
  name: 'reading',
  type: 'object',
  title: 'Reading',
  group: 'work',
  description: 'The parts of the page that the tool returns.',
  hidden: doesNot('reading'),
  fields: [
    list('parts', 'Parts', part),
    defineField({
      name: 'pages',
      type: 'number',
      title: 'Pages at most',
      description: `If a button such as “Load more” is under a list, the tool presses it for each page after the first. Up to ${MAX_PAGES}; leave this empty for what the page shows.`,
    }),
    nothing('What agents read if the page has none of these parts.'),
  ],
  validation: (rule) => rule.custom(keepsAction('reading')),
})
