import {field, parseSwitch} from '../field.ts'

/** Whether a tool or form tool is offered at all. */
export const enabled = field({
  name: 'enabled',
  type: 'boolean',
  title: 'Enabled',
  description:
    'Agents can only use enabled tools. Switch a tool off to remove it from all pages without deleting it.',
  inFiles: 'A tool without it is off.',
  form: {group: 'about', initialValue: true},
  parse: parseSwitch,
})
