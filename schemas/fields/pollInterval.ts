import {field} from '../field.ts'
import {DEFAULT_POLL_INTERVAL, LONGEST, parsePollInterval, SHORTEST} from '../rules/pollInterval.ts'

export const pollInterval = field({
  name: 'pollInterval',
  type: 'number',
  title: 'Poll interval',
  description:
    'How often open pages check for changes, in seconds: 10 to 86,400. Until then they keep the old tools. A reload checks too, but can show the old tools for up to a minute.',
  schema: {
    type: ['integer', 'null'],
    minimum: SHORTEST,
    maximum: LONGEST,
    default: DEFAULT_POLL_INTERVAL,
  },
  form: {fieldset: 'more', initialValue: DEFAULT_POLL_INTERVAL},
  parse: parsePollInterval,
  isServed: true,
  rows: (seconds) => [{title: '', text: `${seconds.toLocaleString('en-US')} seconds`}],
})
