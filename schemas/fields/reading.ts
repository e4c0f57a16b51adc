import {defineField} from '@sanity/types'
import {advises} from '../validation.ts'
import {doesNot, keepsAction, nothing} from './actionParts.ts'
import {part} from './pagePart.ts'

/** The parts of the page that the tool returns. */
export const reading = defineField({
  name: 'reading',
  type: 'object',
  title: 'Reading',
  group: 'work',
  description: 'The parts of the page that the tool returns.',
  hidden: doesNot('reading'),
  fields: [
    defineField({
      name: 'parts',
      type: 'array',
      title: 'Parts',
      of: [part],
    }),
    nothing('What agents read if the page has none of these parts.'),
  ],
  validation: (rule) => [rule.custom(keepsAction('reading')), rule.custom(advises('reading')).warning()],
})
