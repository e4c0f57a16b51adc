import {choicesOf, field} from '../field.ts'
import {parseReview, type Review} from '../rules/site.ts'

export const review = field({
  name: 'review',
  type: 'string',
  title: 'Review before publish',
  description:
    'Which changes a second person must look at before they are published. Somebody asks for a review, and somebody else, who did not write the change, publishes it. To switch this off again, you need a review too. “Every change, with tests that passed” also waits for the tests of a changed tool. They run for each review after your developers have set that up (in CI).',
  choices: choicesOf<Review>({
    none: 'No review',
    scripts: 'When what a tool does, or does without asking, changes',
    all: 'Every change',
    tests: 'Every change, with tests that passed',
  }),
  form: {fieldset: 'more', options: {layout: 'radio'}},
  parse: parseReview,
  decidesCode: true,
})
