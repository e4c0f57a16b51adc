import {field, parseSwitch} from '../field.ts'

export const reportCalls = field({
  name: 'reportCalls',
  type: 'boolean',
  title: 'Count calls',
  description:
    'Pages count how often agents call each tool, how each call ended and how long it took, and send these numbers, without arguments, results or anything about the visitor. Studio shows them. In some countries you need the visitors’ consent, or a sentence in your privacy notice: “Privacy” in the guides has both.',
  form: {fieldset: 'more', initialValue: false},
  parse: parseSwitch,
  isServed: true,
  decidesCode: true,
})
