import {field, parseSwitch} from '../field.ts'

export const reportAfterConsent = field({
  name: 'reportAfterConsent',
  type: 'boolean',
  title: 'Only after consent',
  description:
    'Pages count nothing until they say that the visitor consents. For that, the people who build the site add a line of code: see “Privacy” in the guides.',
  form: {fieldset: 'more', hidden: ({document}) => document?.reportCalls !== true, initialValue: false},
  parse: parseSwitch,
  isServed: true,
})
