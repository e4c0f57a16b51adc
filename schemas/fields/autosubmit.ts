import {field, parseSwitch} from '../field.ts'

export const autosubmit = field({
  name: 'autosubmit',
  type: 'boolean',
  title: 'Submit without asking',
  description:
    'Off: the agent fills in the form, and the visitor submits it. On: the agent submits it without asking. Leave this off if submitting has consequences.',
  form: {group: 'form', initialValue: false},
  parse: parseSwitch,
  isServed: true,
  answer: {at: 4},
  decidesCode: true,
  isHandedOver: true,
})
