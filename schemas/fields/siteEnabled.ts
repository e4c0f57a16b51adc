import {field, parseSwitch} from '../field.ts'

export const siteEnabled = field({
  name: 'enabled',
  type: 'boolean',
  title: 'Enabled',
  description:
    'Switch this off to remove all tools from all pages of the site. The tools keep their own settings. Pages that are open already keep their tools until they next check for changes.',
  inFiles: 'A site without it is on.',
  form: {fieldset: 'more', initialValue: true},
  parse: parseSwitch,
  isServed: true,
})
