import {field} from '../field.ts'
import {parseScript} from '../rules/script.ts'
import {onlyIf} from './action.ts'

export const executeJs = field({
  name: 'executeJs',
  type: 'text',
  title: 'Script',
  description:
    'Runs on the page when an agent calls this tool. Read the arguments from "args", pass "signal" to "fetch", and "return" the result. If there is none, return a sentence that says so. "await" works. Every visitor can read the script: never put a password or a key into it.',
  isRequired: true,
  ...onlyIf('script'),
  beyond: ['JavaScript'],
  file: 'js',
  form: {group: 'work', rows: 16},
  parse: parseScript,
  isServed: true,
  answer: {at: 4},
  decidesCode: true,
})
